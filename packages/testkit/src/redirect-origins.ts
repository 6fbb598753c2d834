/** What `redirectOrigins` needs of an HTTP client: structural, so that this package has no dependency. */
interface WayOut<Request extends { url: string }, Answer> {
  send(request: Request): Promise<Answer>;
}

/**
 * The same client, but requests to the given origins are sent to the other origin given for each: this is how a test
 * replaces fixed addresses. `policy` becomes `configured`, because a test's servers are on this computer.
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
    // The caller does not learn of the redirect.
    const { url } = answer as { url?: unknown };
    if (typeof url !== 'string' || !url.startsWith(other)) return answer;
    return Object.assign(answer as object, { url: origin + url.slice(other.length) }) as Answer;
  };
  // Not a spread: the disposer is a symbol, and others may be getters.
  return new Proxy(http, { get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)) });
}
