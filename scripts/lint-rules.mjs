// House rules that oxlint lacks: time, randomness and the environment come through Ambient; no `export *`.
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

const MAX_OWN_LINES = 60;

// A factory returns a record of closures: each closure is checked separately, so only a function's own lines count.
const maxOwnLines = {
  create(context) {
    const nested = [];
    const enter = () => nested.push(0);
    const leave = (node) => {
      const total = node.loc.end.line - node.loc.start.line + 1;
      const own = total - nested.pop();
      if (own > MAX_OWN_LINES) {
        context.report({ node, message: `This function has ${own} lines of its own; the limit is ${MAX_OWN_LINES}.` });
      }
      if (nested.length) nested[nested.length - 1] += Math.max(0, total - 1);
    };
    return {
      FunctionDeclaration: enter,
      FunctionExpression: enter,
      ArrowFunctionExpression: enter,
      'FunctionDeclaration:exit': leave,
      'FunctionExpression:exit': leave,
      'ArrowFunctionExpression:exit': leave,
    };
  },
};

export default {
  meta: { name: 'fucina' },
  rules: { 'no-ambient': noAmbient, 'no-export-all': noExportAll, 'max-own-lines': maxOwnLines },
};
