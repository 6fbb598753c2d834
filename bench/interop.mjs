// `npm run interop -- <folder>`: the programs of others that are installed in that folder, run for real beside Fucina on
// this machine, with a scripted model on the wire each of them speaks: agents that use Fucina over MCP, and agents that
// Fucina runs over the Agent Client Protocol. Writes docs/interop.md.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, root } from '../scripts/lib.mjs';
import { acpAgents, runBehindFucina } from './interop-acp.mjs';
import { askOverMcp, mcpClients } from './interop-mcp.mjs';

const folder = resolve(process.argv[2] ?? '.');
build('@fucina/server', '@fucina/cli', '@fucina/testkit');

const reports = [];
for (const client of mcpClients(folder)) reports.push(await report('uses Fucina over MCP', client, askOverMcp));
for (const agent of acpAgents(folder)) reports.push(await report('runs in Fucina over ACP', agent, runBehindFucina));
if (!reports.length) throw new Error(`no program of others is installed in ${folder}`);
writeFileSync(join(root, 'docs', 'interop.md'), page(reports));
process.exit(reports.every(({ checks }) => checks.every(({ isMet }) => isMet)) ? 0 : 1);

async function report(role, program, act) {
  const { lines, checks } = await act(program);
  console.log(
    `${program.name} ${program.version}: ${checks.map(({ what, isMet }) => `${what} ${isMet ? 'yes' : 'NO'}`).join(', ')}`,
  );
  return { role, program, lines, checks };
}

function page(all) {
  const day = new Date().toISOString().slice(0, 10);
  const rows = all.map(({ role, program, checks }) => {
    const met = checks.filter(({ isMet }) => isMet).map(({ what }) => what);
    const missing = checks.filter(({ isMet }) => !isMet).map(({ what }) => what);
    return `| ${program.name} ${program.version} | ${role} | ${met.join(', ')} | ${missing.join(', ') || '–'} |`;
  });
  const transcripts = all.map(
    ({ role, program, lines }) =>
      `## ${program.name} ${program.version} ${role}\n\n${program.note ? `${program.note}\n\n` : ''}\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`,
  );
  return `# Programs of others, tried

Written by \`npm run interop -- <folder with the programs>\` on ${day}, on Linux. The programs are the real ones, from the npm registry;
only the model is scripted, on the wire that each program speaks. Nothing leaves the computer.

| program | what it does | seen | not seen |
|---|---|---|---|
${rows.join('\n')}

In the transcripts, \`→\` is what the scripted model asks for, \`←\` what came back, and \`event\` an event of the Fucina session.

${transcripts.join('\n')}`;
}
