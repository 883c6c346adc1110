import { type Day, dayOf } from '@bancone/contract/dates'
import type {
  PublicOffers,
  PublicOffersError,
  PublicOffersSearch,
} from '@bancone/contract/public-offers'
import type { Clock } from '../../ports/clock.ts'
import type { PageRenderer } from '../../ports/page-renderer.ts'
import { type FinishedText, finishText } from './finished-texts.ts'
import { NO_SEARCH, noOffers, pageStatus } from './public-offers.rules.ts'
import { shareImagePath } from './share/share-image-path.ts'

/** `until`: when its day ends; null for what says nothing of a day. */
export type FinishedPage = FinishedText & { status: number; until: number | null }

/** What of the offers a page is about. `offer`: '' for one that is not shown. */
export type DrawnPart = { offer: string | null; search: PublicOffersSearch | null }

type Dependencies = {
  renderer: PageRenderer
  /** Where the application is reached, without a slash at its end. */
  publicUrl: string
  clock: Clock
}

export type DrawnPages = ReturnType<typeof createDrawnPages>

/** Pages as they are sent. */
export function createDrawnPages({ renderer, publicUrl, clock }: Dependencies) {
  const refusals = new Map<PublicOffersError | null, { day: Day; done: Promise<FinishedPage> }>()

  async function draw(
    content: PublicOffers | null,
    { offer, search }: DrawnPart,
  ): Promise<FinishedText> {
    const shareImage = content && shareImagePath(content, offer || null)
    const page = { content, search: search ?? NO_SEARCH, offerId: offer, publicUrl, shareImage }
    return finishText(await renderer.render(page))
  }

  async function drawRefusal(why: PublicOffersError | null, day: Day): Promise<FinishedPage> {
    try {
      const text = await draw(why && noOffers(day, why, null), { offer: null, search: null })
      return { ...text, status: why === null ? 503 : pageStatus(why), until: null }
    } catch (error) {
      refusals.delete(why)
      throw error
    }
  }

  return {
    draw,

    /** One that is of no pharmacy, once a day. @param why null: nothing could be loaded */
    refusal(why: PublicOffersError | null): Promise<FinishedPage> {
      const day = dayOf(clock.now())
      const known = refusals.get(why)
      if (known?.day === day) return known.done
      const done = drawRefusal(why, day)
      refusals.set(why, { day, done })
      return done
    },
  }
}
