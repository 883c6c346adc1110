import { createSessions, type Sessions } from '../src/http/session.ts'

/** For what nobody has to sign in to, and where whoever tries is refused. */
export function noSessions(): Sessions {
  const nobody = () => Promise.reject(new Error('nobody asks'))
  return createSessions({
    subject: nobody,
    standing: nobody,
    administratorsNeedFactor: false,
    account: nobody,
    keyHolder: async () => undefined,
    isRefusal: () => true,
  })
}
