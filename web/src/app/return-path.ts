import { paths } from '@bancone/contract/pages'
import { z } from 'zod'

const LocationState = z.object({ from: z.string().regex(/^\/(?![/\\])/) })

/** Where to go after sign-in: the place that asked for it, or the dashboard. */
export function returnPath(locationState: unknown): string {
  const parsed = LocationState.safeParse(locationState)
  return parsed.success ? parsed.data.from : paths.dashboard
}
