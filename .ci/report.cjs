// Prints what the tests reported, at the end: the middle of a long output may be cut. `failed FILE` prints the files with failures.
const { existsSync, readFileSync } = require('node:fs');
const { relative } = require('node:path');

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
const nameOf = ({ name }) => relative(process.cwd(), name);
const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000;

/** The failures of a report, as texts by name; a file that could not be loaded is one. */
function failuresOf(report) {
  const failures = new Map();
  for (const file of report?.testResults ?? []) {
    const tests = file.assertionResults.filter(({ status }) => status === 'failed');
    if (file.status === 'failed' && tests.length === 0) failures.set(nameOf(file), file.message);
    for (const { fullName, failureMessages } of tests)
      failures.set(`${nameOf(file)}: ${fullName}`, failureMessages.join('\n'));
  }
  return failures;
}

function printFailedFiles(file) {
  for (const result of read(file)?.testResults ?? []) if (result.status === 'failed') console.log(nameOf(result));
}

function print(folder) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const script of ['test', 'test:long']) {
    const report = read(`${folder}/${script}.json`);
    if (!report) {
      console.log(`FAILED: ${script} has written no report.`);
      counts.failed += 1;
      continue;
    }
    const again = read(`${folder}/${script}-again.json`);
    const failures = again ? failuresOf(again) : failuresOf(report);
    for (const [name, message] of failures) console.log(`FAILED: ${name}\n${message}`);
    const mended = [...failuresOf(report)].filter(([name]) => again && !failures.has(name));
    for (const [name, message] of mended) console.log(`FAILED ONCE, passed when it ran again: ${name}\n${message}`);
    const slowest = report.testResults.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, 10);
    for (const file of slowest) console.log(`${nameOf(file)}: ${seconds(file).toFixed(0)} s`);
    counts.passed += report.numPassedTests + mended.length;
    counts.failed += failures.size;
    counts.skipped += report.numPendingTests + report.numTodoTests;
  }
  const { passed, failed, skipped } = counts;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}

const [command, argument] = process.argv.slice(2);
if (command === 'failed') printFailedFiles(argument);
else print(argument);
