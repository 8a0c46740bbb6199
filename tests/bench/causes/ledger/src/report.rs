//! The report: the largest accounts, and a check sum.

use crate::account::Account;
use std::fs::File;
use std::io::{self, BufWriter, Write};

fn check(text: &str) -> u32 {
    text.bytes().fold(2166136261, |sum, b| (sum ^ u32::from(b)).wrapping_mul(16777619))
}

pub fn write(path: &str, accounts: &[&Account], refused: usize) -> io::Result<()> {
    let mut to = BufWriter::new(File::create(path)?);
    for account in accounts {
        writeln!(to, "{:<16} {:>12} {:>6} {:08x} {}", account.name, account.cents, account.bookings, check(&account.last), account.last)?;
    }
    writeln!(to, "{refused} refused")?;
    to.flush()
}
