// The JSON Schemas in share/, read by Ajv, as editors and SchemaStore do.
//
//   schemas.js faults ROOT              prints what SchemaStore would not take of the schemas and of share/catalog.json
//   schemas.js invalid SCHEMA FILE...   prints each FILE of YAML or JSON that SCHEMA refuses, with its first fault
//   schemas.js matched ROOT             reads paths, and prints each with the name of the catalog's entry that it matches
'use strict';
const fs = require('fs');
const path = require('path');
const modules = path.join(__dirname, '../workflows/node_modules');
const Ajv = require(path.join(modules, 'ajv'));
const yaml = require(path.join(modules, 'js-yaml'));

const json = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

// Stricter than SchemaStore's list ajvNotStrictMode, for which YAML has two reasons: a name may look like a number, and
// of some keys exactly one is required. The schemas of JSON need neither.
const compile = (schema) => new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(schema);

function* schemaFaults(file, schema) {
  if (schema.$schema !== 'http://json-schema.org/draft-07/schema#') yield 'is not of draft 7';
  if (!schema.$id?.startsWith('https://') || path.basename(schema.$id) !== path.basename(file)) yield 'has no $id of its name';
  for (const key of ['title', 'description']) if (!schema[key]) yield `has no ${key}`;
  try {
    compile(schema);
  } catch (error) {
    yield error.message;
  }
}

function* entryFaults(entry, schemas) {
  const schema = schemas.find((one) => one.$id === entry.url);
  if (!schema) yield 'has the url of no schema in share/';
  else if (entry.name !== schema.title || `${entry.description}.` !== schema.description) yield 'is not called as its schema';
  for (const text of [entry.name, entry.description])
    if (/[,. \t-]$|\n|schema/i.test(text)) yield `says "${text}", which SchemaStore refuses`;
  for (const glob of entry.fileMatch) if (glob.includes('/') && !glob.startsWith('**/')) yield `has ${glob}, which does not begin with **/`;
}

function faults(root) {
  const share = path.join(root, 'share');
  const files = fs.readdirSync(share).filter((name) => name.endsWith('.schema.json'));
  const schemas = files.map((name) => json(path.join(share, name)));
  files.forEach((name, i) => {
    for (const fault of schemaFaults(name, schemas[i])) console.log(`share/${name} ${fault}`);
  });
  for (const entry of json(path.join(share, 'catalog.json')).schemas)
    for (const fault of entryFaults(entry, schemas)) console.log(`share/catalog.json: ${entry.name} ${fault}`);
}

function invalid(schema, files) {
  const valid = compile(json(schema));
  for (const file of files)
    if (!valid(yaml.load(fs.readFileSync(file, 'utf8'))))
      console.log(`${file}: ${valid.errors[0].instancePath || 'the file'} ${valid.errors[0].message}`);
}

// The globs of the catalog: **/ is any folders, * is anything within one.
function matches(glob, file) {
  const parts = { '**/': '(.*/)?', '*': '[^/]*', '.': '\\.' };
  const pattern = glob.replace(/\*\*\/|[*.]/g, (part) => parts[part]);
  return new RegExp(`^${glob.includes('/') ? '' : '(.*/)?'}${pattern}$`).test(file);
}

function matched(root) {
  const entries = json(path.join(root, 'share/catalog.json')).schemas;
  for (const file of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean))
    for (const entry of entries) if (entry.fileMatch.some((glob) => matches(glob, file))) console.log(`${file} ${entry.name}`);
}

const [verb, first, ...rest] = process.argv.slice(2);
({ faults, invalid, matched })[verb](first, rest);
