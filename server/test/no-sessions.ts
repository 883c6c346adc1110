import { createSessions, type Sessions } from '../src/http/session.ts'

/** Sessions for applications without users: every sign-in is refused. */
export function noSessions(): Sessions {
  const nobody = () => Promise.reject(new Error('this application has no users'))
  return createSessions({
    subject: nobody,
    assurance: nobody,
    adminMfaRequired: false,
    account: nobody,
    apiKeyHolder: async () => undefined,
    pharmacyOfSupportSession: async () => undefined,
    isInvalidToken: () => true,
  })
}
