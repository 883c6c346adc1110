import {
  arrangeOffers,
  changeOffer,
  checkOfferPrice,
  createOffer,
  listOffers,
  removeOffer,
} from '@bancone/contract/offers'
import type { Serve } from '../../http/serve.ts'
import type { OffersService } from './offers.service.ts'

export function offerRoutes(serve: Serve, offers: OffersService) {
  serve(listOffers, (_input, { pharmacy }) => offers.list(pharmacy.id))

  serve(createOffer, ({ body }, session) => offers.create(session, body.fields, body.id))

  serve(changeOffer, ({ params, body }, session) =>
    offers.change(session, params.offerId, body.fields, body.seen),
  )

  serve(removeOffer, async ({ params }, { pharmacy }) => {
    await offers.remove(pharmacy.id, params.offerId)
    return {}
  })

  serve(arrangeOffers, async ({ body }, { pharmacy }) => {
    await offers.arrange(pharmacy.id, body.offerIds)
    return {}
  })

  serve(checkOfferPrice, ({ body }, { pharmacy }) => offers.checkPrice(pharmacy.id, body))
}
