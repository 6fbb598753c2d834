// House rules oxlint does not have: time, chance and the environment come through Ambient; no `export *`.
const BANNED = new Map([
  ['Date.now', 'ambient.now()'],
  ['Math.random', 'ambient.randomBytes()'],
  ['crypto.randomUUID', 'ambient.newId()'],
  ['process.env', 'settings'],
  ['performance.now', 'ambient.monotonic()'],
]);
const BANNED_CALLS = new Map([
  ['randomUUID', 'ambient.newId()'],
  ['setTimeout', 'ambient.timer() or ambient.sleep()'],
  ['setInterval', 'ambient.timer()'],
]);

const noAmbient = {
  create: (context) => ({
    MemberExpression(node) {
      if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier') return;
      const instead = BANNED.get(`${node.object.name}.${node.property.name}`);
      if (instead) context.report({ node, message: `Use ${instead}: tests move time and chance by hand.` });
    },
    CallExpression(node) {
      const instead = node.callee.type === 'Identifier' && BANNED_CALLS.get(node.callee.name);
      if (instead) context.report({ node, message: `Use ${instead}: tests move time and chance by hand.` });
    },
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0) {
        context.report({ node, message: 'Use new Date(ambient.now()).' });
      }
    },
  }),
};

const noExportAll = {
  create: (context) => ({
    ExportAllDeclaration(node) {
      context.report({ node, message: 'Name what is exported.' });
    },
  }),
};

export default { meta: { name: 'fucina' }, rules: { 'no-ambient': noAmbient, 'no-export-all': noExportAll } };
