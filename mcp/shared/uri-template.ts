import { UriTemplate, type Variables } from '@modelcontextprotocol/server';

/**
 * A template of RFC 6570 whose query `{?offset,length}` may be left out, in part or whole, and stand in any order; the
 * SDK's own matching wants all of it. Variables come out decoded.
 */
export function uriTemplate(template: string): UriTemplate {
  const query = /\{\?([a-z_,]+)\}$/.exec(template);
  const path = new UriTemplate(query === null ? template : template.slice(0, query.index));
  const names = query?.[1]?.split(',') ?? [];
  return Object.assign(new UriTemplate(template), {
    match(uri: string): Variables | null {
      const mark = uri.indexOf('?');
      const found = path.match(mark < 0 ? uri : uri.slice(0, mark));
      if (found === null) return null;
      const variables: Variables = {};
      for (const [name, value] of Object.entries(found)) {
        const text = typeof value === 'string' ? decoded(value) : null;
        if (text === null) return null;
        variables[name] = text;
      }
      if (mark < 0) return variables;
      for (const [name, value] of new URLSearchParams(uri.slice(mark + 1))) {
        if (!names.includes(name) || name in variables) return null;
        variables[name] = value;
      }
      return variables;
    },
  });
}

/** Null where the text is no percent-encoded UTF-8. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
