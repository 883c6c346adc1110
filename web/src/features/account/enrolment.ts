import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import type { Area } from '../../lib/session-state.ts'
import { callAsUser } from './own-account.ts'

const DATA_URL = /^data:image\/svg\+xml;utf-8,/

const Enrolment = z.object({
  id: z.string(),
  totp: z.object({
    qr_code: z.string(),
    secret: z.string().check(z.minLength(1)),
    uri: z.string().check(z.startsWith('otpauth://')),
  }),
})

/** The secret of a new app, in the forms in which apps take it. */
export type Enrolment = {
  factorId: string
  /** URL of the QR code. */
  picture: string
  secret: string
  /** Opens an authenticator app on the same device. */
  link: string
}

function enrolmentOf(answer: unknown): Enrolment {
  const { id, totp } = Enrolment.parse(answer)
  const { qr_code: qrCode, secret, uri: link } = totp
  // The SVG comes unescaped, and a URL must not contain all of its characters.
  const svg = qrCode.replace(DATA_URL, '')
  const picture = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  return { factorId: id, picture, secret, link }
}

/**
 * Starts an enrolment. Its secret is discarded on unmount; a reload starts another.
 *
 * @param name null: not yet
 */
export function useEnrolment(area: Area, name: string | null) {
  return useQuery({
    queryKey: [area, 'enrolment', name],
    queryFn: async () => {
      const params = { factorType: 'totp', friendlyName: name ?? '' } as const
      return enrolmentOf(await callAsUser(area, (auth) => auth.mfa.enroll(params)))
    },
    enabled: name !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
}

/** Verifies the first code of the app, which completes the enrolment. @throws AuthError */
export async function confirmApp(area: Area, factorId: string, code: string): Promise<void> {
  await callAsUser(area, (auth) => auth.mfa.challengeAndVerify({ factorId, code }))
}

/** Removes an app, and refreshes the AAL of the session. @throws AuthError */
export async function removeApp(area: Area, factorId: string): Promise<void> {
  await callAsUser(area, (auth) => auth.mfa.unenroll({ factorId }))
  await callAsUser(area, (auth) => auth.refreshSession())
}
