import { variantUrl } from '@bancone/contract/image-variants'
import { publicOffersPath } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { useState } from 'react'
import { webLink } from '../../../lib/links.ts'
import type { SheetOffer } from './sheet-offer.ts'
import { flyerPages } from './sheet-pages.ts'
import { SheetCode, SheetPrices } from './sheet-parts.tsx'

/** Loaded eagerly, because printing does not wait for lazy pictures. A picture that fails to load is left out. */
function SheetPicture({ url, className }: { url: string | null; className?: string }) {
  const [broken, setBroken] = useState<string | null>(null)
  const link = webLink(url)
  if (link === null || link === broken) return null
  return (
    <img
      src={variantUrl(link, 'card-2x')}
      alt=""
      className={className}
      onError={() => setBroken(link)}
    />
  )
}

function Product({ offer }: { offer: SheetOffer }) {
  return (
    <li className="flyer-item">
      <div className="flyer-photo">
        <SheetPicture url={offer.photo} />
      </div>
      {offer.badge === null ? null : (
        <p className="sheet-badge" data-type={offer.type}>
          {offer.badge}
        </p>
      )}
      <h3 className="flyer-product">{offer.name}</h3>
      <SheetPrices offer={offer} />
      {offer.prior === null ? null : <p className="flyer-note">{offer.prior}</p>}
      {offer.validity === null ? null : <p className="flyer-note">{offer.validity}</p>}
    </li>
  )
}

function Head({ pharmacy }: { pharmacy: OwnPharmacy }) {
  const { name, address, phone, logoUrl, pharmacyCode } = pharmacy
  return (
    <header className="flyer-head">
      <SheetPicture url={logoUrl} className="flyer-logo" />
      <div className="flyer-whose">
        <p className="flyer-name">{name}</p>
        {address ? <p>{address}</p> : null}
        {phone ? <p>Tel. {phone}</p> : null}
      </div>
      <div className="flyer-code">
        <p>
          Inquadrare
          <br />e scrivere
        </p>
        <SheetCode code={pharmacyCode} title="QR code della pagina delle offerte" />
      </div>
    </header>
  )
}

type FlyerProps = { title: string; offers: readonly SheetOffer[]; pharmacy: OwnPharmacy }

/** Products with pictures and prices on A4 sheets, to be handed out or put in the window. */
export function Flyer({ title, offers, pharmacy }: FlyerProps) {
  const pages = flyerPages(offers)
  return pages.map((page, index) => (
    <div key={page.offers[0]?.id} className="sheet-frame">
      <section className="sheet flyer" aria-label={`Foglio ${index + 1} di ${pages.length}`}>
        <Head pharmacy={pharmacy} />
        {title ? <h2 className="flyer-title">{title}</h2> : null}
        <ul className="flyer-grid" data-size={page.size}>
          {page.offers.map((offer) => (
            <Product key={offer.id} offer={offer} />
          ))}
        </ul>
        <footer className="flyer-foot">
          <p>{location.host + publicOffersPath(pharmacy.pharmacyCode)}</p>
          {pages.length > 1 ? (
            <p>
              {index + 1} di {pages.length}
            </p>
          ) : null}
        </footer>
      </section>
    </div>
  ))
}
