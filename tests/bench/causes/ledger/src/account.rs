//! Accounts and their bookings.

use std::collections::HashMap;

#[derive(Clone, Debug, Default)]
pub struct Account {
    pub name: String,
    pub cents: i64,
    pub bookings: u32,
    pub last: String,
}

#[derive(Default)]
pub struct Accounts {
    places: HashMap<String, usize>,
    all: Vec<Account>,
}

impl Accounts {
    fn place(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        self.all.push(Account { name: name.to_string(), ..Account::default() });
        self.places.insert(name.to_string(), self.all.len() - 1);
        self.all.len() - 1
    }

    pub fn book(&mut self, name: &str, cents: i64, text: &str) {
        let place = self.place(name);
        let account = &mut self.all[place];
        account.cents += cents;
        account.bookings += 1;
        account.last.clear();
        account.last.push_str(text);
    }

    pub fn largest(&self, count: usize) -> Vec<&Account> {
        let mut all: Vec<&Account> = self.all.iter().collect();
        all.sort_by(|a, b| b.cents.cmp(&a.cents).then_with(|| a.name.cmp(&b.name)));
        all.truncate(count);
        all
    }
}
