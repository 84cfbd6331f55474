/** Calls over real HTTP, as a client of the service makes them. */

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Sends JSON and reads JSON. */
export async function call<Body = Record<string, unknown>>(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: "manual",
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text ? JSON.parse(text) : null) as Body,
  };
}

export const get = <Body = Record<string, unknown>>(url: string, headers: Record<string, string> = {}) =>
  call<Body>("GET", url, undefined, headers);

export const post = <Body = Record<string, unknown>>(
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => call<Body>("POST", url, body, headers);
