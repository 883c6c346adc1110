import { type Day, dayOf } from '@bancone/contract/dates'
import type {
  PublicOffers,
  PublicOffersError,
  PublicOffersSearch,
} from '@bancone/contract/public-offers'
import { type CompressedText, compressText } from '../../http/compressed-texts.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PageRenderer } from '../../ports/page-renderer.ts'
import { NO_SEARCH, noOffers, pageStatus } from './public-offers.rules.ts'
import { shareImagePath } from './share/share-image-path.ts'

/** `until`: when its day ends; null for a page that does not depend on the day. */
export type RenderedPage = CompressedText & { status: number; until: number | null }

/** The part of the offers that a page shows. `offer`: '' for one that is not published. */
export type PageVariant = { offer: string | null; search: PublicOffersSearch | null }

type Dependencies = {
  renderer: PageRenderer
  /** Base URL of the application, without a slash at its end. */
  publicUrl: string
  clock: Clock
}

export type RenderedPages = ReturnType<typeof createRenderedPages>

/** Renders pages and compresses them. */
export function createRenderedPages({ renderer, publicUrl, clock }: Dependencies) {
  const errorPages = new Map<PublicOffersError | null, { day: Day; done: Promise<RenderedPage> }>()

  async function render(
    content: PublicOffers | null,
    { offer, search }: PageVariant,
  ): Promise<CompressedText> {
    const shareImage = content && shareImagePath(content, offer || null)
    const page = { content, search: search ?? NO_SEARCH, offerId: offer, publicUrl, shareImage }
    return compressText(await renderer.render(page))
  }

  async function renderError(why: PublicOffersError | null, day: Day): Promise<RenderedPage> {
    try {
      const text = await render(why && noOffers(day, why, null), { offer: null, search: null })
      return { ...text, status: why === null ? 503 : pageStatus(why), until: null }
    } catch (error) {
      errorPages.delete(why)
      throw error
    }
  }

  return {
    render,

    /** An error page without a pharmacy, rendered once a day. @param why null when nothing could be loaded */
    errorPage(why: PublicOffersError | null): Promise<RenderedPage> {
      const day = dayOf(clock.now())
      const known = errorPages.get(why)
      if (known?.day === day) return known.done
      const done = renderError(why, day)
      errorPages.set(why, { day, done })
      return done
    },
  }
}
