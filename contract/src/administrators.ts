import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** What the signed-in administrator may know of themselves. */
export const OwnAdministrator = z.object({ id: z.uuid(), email: z.string() })
export type OwnAdministrator = z.infer<typeof OwnAdministrator>

/** Answers only to members of `admin_users`: how the administration knows whom to let in. */
export const getOwnAdministrator = endpoint({
  method: 'GET',
  path: '/api/administrator',
  summary: 'The signed-in administrator',
  access: 'admin',
  response: OwnAdministrator,
  errors: [],
})
