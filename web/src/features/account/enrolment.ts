import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import type { Area } from '../../lib/session-state.ts'
import { asOneself } from './own-account.ts'

const DATA_URL = /^data:image\/svg\+xml;utf-8,/

const Enrolment = z.object({
  id: z.string(),
  totp: z.object({
    qr_code: z.string(),
    secret: z.string().min(1),
    uri: z.string().startsWith('otpauth://'),
  }),
})

/** What an app has to be told, before it shows codes. */
export type Enrolment = {
  factorId: string
  /** The address of a picture. */
  picture: string
  secret: string
  /** Opens an app of the same device. */
  link: string
}

function enrolmentOf(answer: unknown): Enrolment {
  const { id, totp } = Enrolment.parse(answer)
  const { qr_code: drawing, secret, uri: link } = totp
  // The drawing comes as it is, and an address cannot hold all of its signs.
  const svg = drawing.replace(DATA_URL, '')
  const picture = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  return { factorId: id, picture, secret, link }
}

/**
 * Begins to add an app. What it answers is kept nowhere longer than it is shown: a reload begins anew.
 *
 * @param name null: not yet
 */
export function useEnrolment(area: Area, name: string | null) {
  return useQuery({
    queryKey: [area, 'enrolment', name],
    queryFn: async () => {
      const params = { factorType: 'totp', friendlyName: name ?? '' } as const
      return enrolmentOf(await asOneself(area, (auth) => auth.mfa.enroll(params)))
    },
    enabled: name !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
}

/** Shows the first code of the app: from then on it is asked for. @throws AuthError */
export async function confirmApp(area: Area, factorId: string, code: string): Promise<void> {
  await asOneself(area, (auth) => auth.mfa.challengeAndVerify({ factorId, code }))
}

/** Takes an app away, and tells the session what it is worth without. @throws AuthError */
export async function removeApp(area: Area, factorId: string): Promise<void> {
  await asOneself(area, (auth) => auth.mfa.unenroll({ factorId }))
  await asOneself(area, (auth) => auth.refreshSession())
}
