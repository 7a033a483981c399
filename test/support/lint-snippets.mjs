// Lints texts as if they were files of the project, with the rules about sockets only. stdin: {"path": "text"}; stdout: {"path": ["rule"]}.
import { ESLint } from 'eslint';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const snippets = JSON.parse(Buffer.concat(chunks).toString());
const eslint = new ESLint({ ruleFilter: ({ ruleId }) => ruleId.includes('no-restricted') });
const results = await Promise.all(
  snippets.map(async ([path, text]) => {
    const [result] = await eslint.lintText(text, { filePath: path });
    return result.messages.map(({ ruleId, message }) => ruleId ?? message);
  }),
);
process.stdout.write(JSON.stringify(results));
