//! The journal: lines of `DATE;FROM;TO;CENTS;TEXT`.

use crate::account::Accounts;
use std::fs::File;
use std::io::{self, BufRead, BufReader};

pub struct Booking<'a> {
    pub date: &'a str,
    pub from: &'a str,
    pub to: &'a str,
    pub cents: i64,
    pub text: &'a str,
}

pub fn parse(line: &str) -> Option<Booking<'_>> {
    let mut fields = line.splitn(5, ';');
    let date = fields.next()?;
    let from = fields.next()?;
    let to = fields.next()?;
    let cents = fields.next()?.parse().ok()?;
    Some(Booking { date, from, to, cents, text: fields.next()?.trim_end() })
}

fn is_valid(date: &str) -> bool {
    let bytes = date.as_bytes();
    bytes.len() == 10 && bytes.iter().enumerate().all(|(i, b)| if i == 4 || i == 7 { *b == b'-' } else { b.is_ascii_digit() })
}

pub fn read(path: &str, accounts: &mut Accounts) -> io::Result<usize> {
    let mut from = BufReader::new(File::open(path)?);
    let mut line = String::new();
    let mut refused = 0;
    while from.read_line(&mut line)? > 0 {
        match parse(&line) {
            Some(booking) if is_valid(booking.date) => {
                accounts.book(booking.from, -booking.cents, booking.text);
                accounts.book(booking.to, booking.cents, booking.text);
            }
            _ => refused += 1,
        }
        line.clear();
    }
    Ok(refused)
}
