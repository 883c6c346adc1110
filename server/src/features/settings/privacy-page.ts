import { type Feature, hasFeature } from '@bancone/contract/access'
import {
  customerPriorityPath,
  PRIVACY_FROM,
  paths,
  publicOffersPath,
} from '@bancone/contract/pages'
import type { PrivacyPage } from '@bancone/contract/privacy-texts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { compressText, sendCompressed } from '../../http/compressed-texts.ts'
import type { PageRenderer } from '../../ports/page-renderer.ts'
import type { PrivacyTextsStore } from './privacy-texts.store.ts'

export type PrivacyPageDependencies = {
  /** By code, regardless of case. */
  pharmacy(
    code: string,
  ): Promise<
    { code: string; name: string; isActive: boolean; features: readonly Feature[] } | undefined
  >
  renderer: PageRenderer<PrivacyPage>
}

/** What is no code counts as none. */
const Code = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u)
  .catch('')
const Query = z.object({ [PRIVACY_FROM]: Code })

/** The privacy policy as a page without a script. It leads back to the page of the pharmacy that it was opened from. */
export function privacyPageRoute(
  app: FastifyInstance,
  store: Pick<PrivacyTextsStore, 'current'>,
  { pharmacy, renderer }: PrivacyPageDependencies,
): void {
  async function backTo(code: string): Promise<PrivacyPage['back']> {
    const found = code === '' ? undefined : await pharmacy(code)
    if (!found?.isActive) return null
    const { name } = found
    if (hasFeature(found, 'offers')) return { path: publicOffersPath(found.code), name }
    if (hasFeature(found, 'priority_access'))
      return { path: customerPriorityPath(found.code), name }
    return null
  }

  app.get(paths.privacy, async ({ query }, reply) => {
    const back = await backTo(Query.parse(query)[PRIVACY_FROM] ?? '')
    const page = await compressText(await renderer.render({ ...(await store.current()), back }))
    return sendCompressed(reply.header('Cache-Control', 'no-cache'), 'text/html', page)
  })
}
