/** A shell command that serves one page on a port of 127.0.0.1 until it is asked for `/end`. */
export function pageServerCommand(port: number, body: string): string {
  const page = Buffer.from(`<!doctype html><title>Inside</title>${body}`).toString('base64');
  const answer = `(q, r) => r.setHeader('content-type', 'text/html').end(Buffer.from('${page}', 'base64'), () => q.url === '/end' && process.exit())`;
  return `exec timeout 300 node -e "require('http').createServer(${answer}).listen(${port}, '127.0.0.1')"`;
}
