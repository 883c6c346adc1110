import type { Plugin } from 'vite'

const FILE = /\/react-router\/dist\/production\/chunk-\w+\.mjs$/

/** Calls that make a value and do nothing else. */
const MADE = /^( *(?:var|let|const) \w+ = )(React\d*\.(?:createContext|forwardRef|memo)\()/gm
const DISPLAY_NAME = /^\w+\.displayName = "[^"]*";$/gm

/** What loads the code of pages ahead, by a manifest of the framework. */
const PREFETCHED = /^function PrefetchPageLinks\(\{[\s\S]*?^\}$/m

/**
 * The router marks nothing that it makes as free of effects, so that forms, scripts and data of its framework come along
 * with a link. Here its calls are marked, its names for developers are left out, and links load nothing ahead.
 */
export function withoutUnusedRouter(): Plugin {
  let marked = 0
  let prefetched = false
  return {
    name: 'without-unused-router',
    apply: 'build',
    transform(code, id) {
      if (!FILE.test(id)) return null
      return code
        .replace(MADE, (_whole, name: string, made: string) => {
          marked += 1
          return `${name}/* @__PURE__ */ ${made}`
        })
        .replace(DISPLAY_NAME, '')
        .replace(PREFETCHED, () => {
          prefetched = true
          return "function PrefetchPageLinks() { throw new Error('The web app is built without it') }"
        })
    },
    buildEnd(error) {
      if (!error && (marked < 10 || !prefetched))
        this.error('react-router is written otherwise now')
    },
  }
}
