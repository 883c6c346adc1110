import { AuthClient, type GoTrueClient } from '@supabase/auth-js'
import { authFetch, authUrl } from './auth-fetch.ts'
import { browserStorage } from './browser-storage.ts'

/** A client of the authentication service that stores its session in the browser under `storageKey`. */
export function createAuthClient(storageKey: string): GoTrueClient {
  return new AuthClient({
    url: authUrl,
    storageKey,
    storage: browserStorage,
    detectSessionInUrl: false,
    flowType: 'pkce',
    fetch: authFetch,
  })
}
