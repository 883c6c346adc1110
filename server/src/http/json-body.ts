import type { FastifyInstance } from 'fastify'
import secureJson from 'secure-json-parse'

/** Bytes of a JSON body, unless the route allows more. */
export const MAX_JSON_BYTES = 16 * 1024

/** Levels of nested arrays and objects in a JSON body. */
const MAX_JSON_DEPTH = 64

/**
 * Parses a JSON text from outside. Texts that nest too deeply are refused before they are parsed, because both parsing
 * and validation of them are slow, and recursive code would overflow the stack. So are keys that change prototypes.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  if (nestsTooDeeply(text)) throw new SyntaxError('JSON nests too deeply')
  return secureJson.parse(text)
}

/** Whether brackets outside strings are nested deeper than allowed. Stops at the first that is. */
function nestsTooDeeply(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (isInString) {
      if (char === '\\') at += 1
      else if (char === '"') isInString = false
    } else if (char === '"') isInString = true
    else if (char === '[' || char === '{') {
      depth += 1
      if (depth > MAX_JSON_DEPTH) return true
    } else if (char === ']' || char === '}') depth -= 1
  }
  return false
}

/**
 * Parses bodies of `application/json` with `parseJson`.
 *
 * @param onInvalid creates the error of a body that is not JSON
 * @param empty what an empty body means; undefined for a body that is not JSON
 * @param repair changes the text before it is parsed
 */
export function acceptJson(
  app: FastifyInstance,
  {
    onInvalid,
    empty,
    repair = (text) => text,
  }: {
    onInvalid: (cause: unknown) => Error
    empty?: unknown
    repair?: (text: string) => string
  },
): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body)
    try {
      done(null, text === '' && empty !== undefined ? empty : parseJson(repair(text)))
    } catch (error) {
      done(onInvalid(error))
    }
  })
}
