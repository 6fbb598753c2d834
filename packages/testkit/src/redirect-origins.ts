/** What a redirectOrigins needs of a way out: structural, so that this package needs no other. */
interface WayOut<Request extends { url: string }, Answer> {
  send(request: Request): Promise<Answer>;
}

/**
 * The same way out, but requests to the origins named go to the other origin given for each: how a test reaches
 * addresses that cannot be changed. `policy` becomes `configured`, since a test's servers are on this computer.
 */
export function redirectOrigins<Request extends { url: string }, Answer, Http extends WayOut<Request, Answer>>(
  http: Http,
  origins: Readonly<Record<string, string>>,
): Http {
  const send = async (request: Request): Promise<Answer> => {
    const { origin, href } = new URL(request.url);
    const other = origins[origin];
    if (other === undefined) return http.send(request);
    const answer = await http.send({ ...request, url: other + href.slice(origin.length), policy: 'configured' });
    // Whoever asked does not learn of the way taken.
    const { url } = answer as { url?: unknown };
    if (typeof url !== 'string' || !url.startsWith(other)) return answer;
    return Object.assign(answer as object, { url: origin + url.slice(other.length) }) as Answer;
  };
  // Not a spread: the disposer is a symbol, and others may be getters.
  return new Proxy(http, { get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)) });
}
