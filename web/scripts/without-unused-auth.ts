import type { Plugin } from 'vite'

const FILES =
  /@supabase\/auth-js\/dist\/module\/(GoTrueClient|GoTrueAdminApi|lib\/webauthn|lib\/web3\/ethereum)\.js$/

/** Ways to sign in, and to let others in, that are not offered here. */
const UNUSED = new Set([
  'signInAnonymously',
  'signInWithWeb3',
  'signInWithEthereum',
  'signInWithSolana',
  'signInWithSSO',
  'signInWithPasskey',
  'registerPasskey',
  '_startPasskeyRegistration',
  '_verifyPasskeyRegistration',
  '_startPasskeyAuthentication',
  '_verifyPasskeyAuthentication',
  '_listPasskeys',
  '_updatePasskey',
  '_deletePasskey',
  'linkIdentityIdToken',
  '_getAuthorizationDetails',
  '_approveAuthorization',
  '_denyAuthorization',
  '_listOAuthGrants',
  '_revokeOAuthGrant',
  'fetchJwk',
  'getClaims',
])

/** The one call of an administrator's that the web app makes. */
const USED_OF_ADMIN = 'signOut'

/** So many others there are at least. */
const LEAST_OF_ADMIN = 20

const METHOD = /^ {4}async (\w+)\([^\n]*\) \{\n[\s\S]*?^ {4}\}$/gm
const EXPORT = /^export (?:async )?(?:const|function|class) (\w+)/gm

const absent =
  "function absent() { throw new Error('The web app is built without this part of auth-js') }"

/**
 * The client of the authentication service is one class, from which the bundler leaves nothing out. This plugin removes
 * the unused parts: wallets, keys, other programs, administration. A call of a removed part throws an error.
 */
export function withoutUnusedAuth(): Plugin {
  const found = new Set<string>()
  const gone = new Set<string>()
  return {
    name: 'without-unused-auth',
    apply: 'build',
    transform(code, id) {
      const [, name] = FILES.exec(id) ?? []
      if (name === undefined) return null
      found.add(name)
      if (name.startsWith('lib/')) {
        // What every client makes one of is made with `new`, which this can be.
        const names = Array.from(code.matchAll(EXPORT), ([, exported]) => exported)
        const stand = names.map((exported) => `export const ${exported} = ${standIn(exported)}`)
        return [absent, ...stand].join('\n')
      }
      const left = code.replace(METHOD, (method: string, of: string) => {
        const unused = name === 'GoTrueAdminApi' ? of !== USED_OF_ADMIN : UNUSED.has(of)
        if (!unused) return method
        gone.add(`${name}.${of}`)
        return `    async ${of}() { absent() }`
      })
      return `${left}\n${absent}`
    },
    buildEnd(error) {
      if (error) return
      const ofClient = [...UNUSED].filter((name) => !gone.has(`GoTrueClient.${name}`))
      const ofAdmin = [...gone].filter((name) => name.startsWith('GoTrueAdminApi.'))
      if (found.size !== 4 || ofClient.length > 0 || ofAdmin.length < LEAST_OF_ADMIN) {
        this.error(
          `auth-js is written otherwise now: ${ofClient.join(', ') || 'files are missing'}`,
        )
      }
    },
  }
}

function standIn(name: string | undefined): string {
  return name === 'WebAuthnApi' ? 'class {}' : 'absent'
}
