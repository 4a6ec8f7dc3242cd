// Compares an Arrow file with a .txt of the same answer: node arrow_rows.js LIBRARY FILE.arrow FILE.txt COLUMN:TYPE...
// LIBRARY is Apache Arrow's own, for JavaScript. Prints nothing if all rows are equal, in their order.
const [library, file, text, ...columns] = process.argv.slice(2);
const arrow = require(library);
const fs = require('fs');

function fail(what) {
  console.error(what);
  process.exit(1);
}

const table = arrow.tableFromIPC(fs.readFileSync(file));
const found = table.schema.fields.map((field) => `${field.name}:${field.type}`);
if (found.join() !== columns.join()) fail(`the columns are ${found}, not ${columns}`);
if (table.schema.fields.some((field) => !field.nullable)) fail('a column may not be NULL');
const lines = fs.readFileSync(text, 'utf8').split('\n');
if (lines.pop() !== '') fail('the text does not end with a line end');
if (lines.length !== table.numRows) fail(`${table.numRows} rows, not ${lines.length}`);
const vectors = table.schema.fields.map((field) => table.getChild(field.name));
lines.forEach((line, row) => {
  const fields = line.split(' ');
  vectors.forEach((vector, i) => {
    const value = vector.get(row);
    const equal = value === null                  ? fields[i] === 'inf'
                  : typeof value === 'number'     ? Number(fields[i]) === value
                                                  : fields[i] === String(value);
    if (!equal) fail(`row ${row}, ${found[i]}: ${value}, not ${fields[i]}`);
  });
});
