import type { Plugin } from 'vite'

const FILES =
  /node_modules\/zod\/v4\/(classic\/schemas|core\/memoizer|core\/json-schema-processors|core\/to-json-schema|locales\/en)\.js$/

/** Methods of texts that zod has replaced by functions, such as `z.email()`: each brings its format along. */
const FORMATS = new Set([
  'email',
  'url',
  'jwt',
  'emoji',
  'guid',
  'uuid',
  'uuidv4',
  'uuidv6',
  'uuidv7',
  'nanoid',
  'cuid',
  'cuid2',
  'ulid',
  'base64',
  'base64url',
  'xid',
  'ksuid',
  'ipv4',
  'ipv6',
  'cidrv4',
  'cidrv6',
  'e164',
  'datetime',
  'date',
  'time',
  'duration',
])

/** Methods of every schema that work backwards. */
const CODECS = new Set([
  'encode',
  'decode',
  'encodeAsync',
  'decodeAsync',
  'safeEncode',
  'safeDecode',
  'safeEncodeAsync',
  'safeDecodeAsync',
])

const METHOD =
  /^ {4}(?:async )?(\w+)(?:: (?:async )?function \w+)?\([^\n]*\) \{\n[\s\S]*?^ {4}\},$/gm
const OWN = /\/(?:contract|web)\/src\//
const ASKED = new RegExp(
  String.raw`\bz\s*\.string\([^()]*\)(?:\s*\.\w+\([^()]*\))*\s*\.(?:${[...FORMATS].join('|')})\(`,
)
const EXPORT = /^export (?:const|function) (\w+)/gm

/** Objects whose parser is compiled at run time, which our content security policy does not allow. */
const COMPILED = 'core.$ZodObjectJIT.init('

const absent =
  "function absent() { throw new Error('The web app is built without this part of zod') }"

/** What stands in for the exports of the other files. */
const STAND_INS: Record<string, (name: string) => string> = {
  // What makes the methods of a schema is called for each; the methods themselves are not.
  'core/to-json-schema': () => '() => absent',
  'core/json-schema-processors': () => 'absent',
  // What is parsed here was JSON, or a form: no value contains itself.
  'core/memoizer': (name) => (name === 'isBackEdge' ? '() => false' : '() => undefined'),
}

/**
 * Every schema of zod carries all that a schema can do, so that nothing of it is left out by itself. What is not done in
 * the web app is: descriptions as JSON schemas, which the server makes; English texts of errors, which all forms have in
 * Italian; the way backwards; values that contain themselves; parsers that are compiled; and older ways to ask for a
 * format. Own code that asks for one in that way does not build.
 */
export function withoutUnusedZod(): Plugin {
  const found = new Set<string>()
  const gone = new Set<string>()
  return {
    name: 'without-unused-zod',
    apply: 'build',
    transform(code, id) {
      const [, name = ''] = FILES.exec(id) ?? []
      if (name === '') {
        if (OWN.test(id) && ASKED.test(code))
          this.error(`Ask for the format as z.email() does: ${id}`)
        return null
      }
      found.add(name)
      if (name === 'locales/en') {
        return "export default () => ({ localeError: () => 'Invalid input' })"
      }
      const standIn = STAND_INS[name]
      if (standIn) {
        const names = Array.from(code.matchAll(EXPORT), ([, exported = '']) => exported)
        return [absent, ...names.map((it) => `export const ${it} = ${standIn(it)}`)].join('\n')
      }
      const left = code.replace(METHOD, (method: string, of: string) => {
        if (!FORMATS.has(of) && !CODECS.has(of)) return method
        gone.add(of)
        return `    ${of}() { absent() },`
      })
      if (!left.includes(COMPILED)) this.error('zod compiles its objects elsewhere now')
      return `${left.replaceAll(COMPILED, 'core.$ZodObject.init(')}\n${absent}`
    },
    buildEnd(error) {
      if (error) return
      const missed = [...FORMATS, ...CODECS].filter((name) => !gone.has(name))
      if (found.size !== 5 || missed.length > 0) {
        this.error(`zod is written otherwise now: ${missed.join(', ') || 'files are missing'}`)
      }
    },
  }
}
