import { brandPalette } from '@bancone/contract/brand-color'
import type { Day } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Printer, Tag } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { offerCount } from '../offer-texts.ts'
import { Flyer } from './flyer.tsx'
import { OfferChoice } from './offer-choice.tsx'
import { printSheets } from './print-sheets.ts'
import { chosenAtFirst, printable, sheetOffer } from './sheet-offer.ts'
import { flyerPages, labelPages } from './sheet-pages.ts'
import { FirstLabel, KindChoice } from './sheet-settings.tsx'
import { useSheetsAddress } from './sheets-address.ts'
import { ShelfLabels } from './shelf-labels.tsx'
import './sheets.css'

const page = '@media print { @page { size: A4 portrait; margin: 0 } }'

const MAX_TITLE = 60

type OfferSheetsProps = {
  offers: readonly OfferRecord[]
  pharmacy: OwnPharmacy
  today: Day
}

/** Print settings and preview. */
export function OfferSheets({ offers, pharmacy, today }: OfferSheetsProps) {
  const { kind, asked, setKind } = useSheetsAddress()
  const [chosen, setChosen] = useState(() => chosenAtFirst(offers, asked, today))
  const [title, setTitle] = useState('Offerte Speciali')
  const [first, setFirst] = useState(1)
  const sheets = useRef<HTMLDivElement>(null)
  const listed = printable(offers, asked, today)
  const printed = listed.filter(({ id }) => chosen.has(id)).map((offer) => sheetOffer(offer, today))
  const count = (kind === 'volantino' ? flyerPages(printed) : labelPages(printed, first)).length
  const summary = `${offerCount(printed.length)}, ${count === 1 ? '1 foglio' : `${count} fogli`}`

  if (listed.length === 0) return <NothingToPrint />
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[20rem_1fr] lg:gap-8">
      <style>{page + accentRule(pharmacy)}</style>
      <div className="flex min-w-0 flex-col gap-5 print:hidden">
        <KindChoice kind={kind} onKind={setKind} />
        {kind === 'volantino' ? (
          <TextField
            label="Titolo del volantino"
            value={title}
            maxLength={MAX_TITLE}
            onChange={({ target }) => setTitle(target.value)}
          />
        ) : (
          <FirstLabel first={first} onFirst={setFirst} />
        )}
        <OfferChoice offers={listed} chosen={chosen} today={today} onChoose={setChosen} />
      </div>
      <section aria-label="Anteprima" className="flex min-w-0 flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden">
          <p role="status" className="text-sm text-muted first-letter:uppercase">
            {summary}
          </p>
          <Button
            look="primary"
            className="max-sm:w-full"
            inactive={printed.length === 0}
            onClick={() => void printSheets(sheets.current)}
          >
            <Printer aria-hidden />
            Stampa
          </Button>
        </div>
        <p className="text-sm text-pretty text-muted print:hidden">
          Nella finestra di stampa scegli carta A4, margini «Nessuno» e scala 100%.
        </p>
        {printed.length === 0 ? (
          <EmptyList icon={<Tag />} title="Nessuna offerta scelta">
            Scegli almeno un’offerta per vedere come sarà il foglio.
          </EmptyList>
        ) : (
          <div ref={sheets} data-sheets data-paper className="flex flex-col gap-4">
            {kind === 'volantino' ? (
              <Flyer title={title.trim()} offers={printed} pharmacy={pharmacy} />
            ) : (
              <ShelfLabels offers={printed} code={pharmacy.pharmacyId} first={first} />
            )}
          </div>
        )}
      </section>
    </div>
  )
}

/** The colour of the pharmacy instead of the accent of paper. */
function accentRule({ brandColor }: OwnPharmacy): string {
  if (brandColor === null) return ''
  return ` [data-sheets][data-paper] { --c-accent: ${brandPalette(brandColor).light.accent} }`
}

function NothingToPrint() {
  return (
    <EmptyList
      icon={<Tag />}
      title="Nessuna offerta da stampare"
      action={
        <Link to={paths.offers} className={buttonStyle({})}>
          Vai alle offerte
        </Link>
      }
    >
      Crea un’offerta: poi qui prepari il volantino e le etichette.
    </EmptyList>
  )
}
