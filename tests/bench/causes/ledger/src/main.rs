//! ledger JOURNAL OUT: books a journal and reports accounts.

mod account;
mod journal;
mod report;

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().collect();
    let mut accounts = account::Accounts::default();
    let refused = journal::read(&words[1], &mut accounts)?;
    report::write(&words[2], &accounts.largest(5000), refused)
}
