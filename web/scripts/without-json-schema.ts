import type { Plugin } from 'vite'

const MODULES = /node_modules\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/
const EXPORT = /^export (?:const|function) (\w+)/gm

/**
 * Every schema of zod carries what describes it as a JSON schema. Only the server describes its schemas:
 * from the files of the web app it is left out, and who asks for it there is told so.
 */
export function withoutJsonSchema(): Plugin {
  const found = new Set<string>()
  return {
    name: 'without-json-schema',
    apply: 'build',
    transform(code, id) {
      const [, name] = MODULES.exec(id) ?? []
      if (name === undefined) return null
      found.add(name)
      // What makes the methods of a schema is called for each; the methods themselves are not.
      const stand = name === 'to-json-schema' ? '() => absent' : 'absent'
      const names = Array.from(code.matchAll(EXPORT), ([, exported]) => exported)
      return [
        "const absent = () => { throw new Error('The web app is built without JSON schemas') }",
        ...names.map((exported) => `export const ${exported} = ${stand}`),
      ].join('\n')
    },
    buildEnd(error) {
      if (!error && found.size !== 2) this.error('zod keeps its JSON schemas elsewhere now')
    },
  }
}
