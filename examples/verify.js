// Checks a certificate by the rules of the game alone, and prints the values that follow from it.
//
//     gridlock solve 2x4 && gridlock prove 2x4
//     gridlock export 2x4 --format certificate --output 2x4.certificate
//     node verify.js 2x4.certificate
//
import { formatBoard } from "@gridlock/game";
import { readCertificate, verify } from "@gridlock/verify";

const [file = "2x4.certificate"] = process.argv.slice(2);
const report = await verify(readCertificate(file), undefined, { threads: 2 });

for (const { board, value, follows, why } of report.starts) {
  console.log(`${formatBoard(board)}: ${follows ? value : why}`);
}
for (const { text } of report.failures) console.error(text);
console.log(report.complete ? `all ${report.claims} claims follow` : "NOT proven");
process.exitCode = report.complete ? 0 : 1;
