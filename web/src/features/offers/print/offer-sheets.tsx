import { brandPalette } from '@bancone/contract/brand-color'
import type { Day } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Printer, Tag } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { offerCount } from '../offer-texts.ts'
import { Flyer } from './flyer.tsx'
import { chosenAtFirst, printable, sheetOffer } from './sheet-offer.ts'
import { flyerPages, LABELS_ON_SHEET, labelPages } from './sheet-pages.ts'
import { ShelfLabels } from './shelf-labels.tsx'
import './sheets.css'
import { z } from 'zod/mini'
import { searchParamsFormat, useUrlFilter } from '../../../lib/url-filter.ts'
import { cn } from '../../../ui/class-names.ts'
import { stateOf } from '../offer-lists.ts'
import { OfferStateWord } from '../offer-state.tsx'

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
              <ShelfLabels offers={printed} code={pharmacy.pharmacyCode} first={first} />
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

const kinds: Record<SheetKind, { name: string; text: string }> = {
  volantino: { name: 'Volantino A4', text: 'Da distribuire o appendere in vetrina' },
  etichette: { name: 'Etichette', text: 'Per gli scaffali, 70 × 37 mm, 24 per foglio' },
}

type KindChoiceProps = { kind: SheetKind; onKind: (kind: SheetKind) => void }

function KindChoice({ kind, onKind }: KindChoiceProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Cosa stampi</legend>
      <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-1">
        {SheetKind.options.map((each) => (
          <label
            key={each}
            className={cn(
              'flex min-h-11 cursor-pointer items-start gap-3 rounded-card border bg-surface px-3 py-2.5 text-sm',
              each === kind ? 'border-accent' : 'border-line hover:bg-sunken',
            )}
          >
            <input
              type="radio"
              name="tipo"
              checked={each === kind}
              onChange={() => onKind(each)}
              className="mt-0.5 size-4 shrink-0 cursor-pointer accent-accent"
            />
            <span className="font-medium">
              {kinds[each].name}
              <span className="block font-normal text-muted">{kinds[each].text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type FirstLabelProps = { first: number; onFirst: (first: number) => void }

/** First label, so that a partly used sheet can be continued. */
function FirstLabel({ first, onFirst }: FirstLabelProps) {
  const [text, setText] = useState(String(first))
  return (
    <TextField
      label="Inizia dall’etichetta numero"
      hint="Se il foglio è già usato in parte: si conta da sinistra, riga per riga."
      error={placeOf(text) === null ? `Scrivi un numero da 1 a ${LABELS_ON_SHEET}` : undefined}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        onFirst(placeOf(target.value) ?? 1)
      }}
    />
  )
}

/** Number of a label on a sheet; null when it is invalid. */
function placeOf(text: string): number | null {
  const place = /^\d{1,2}$/.test(text.trim()) ? Number(text) : 0
  return place >= 1 && place <= LABELS_ON_SHEET ? place : null
}

/** Milliseconds for the pictures to load. */
const PATIENCE_MS = 5_000

/** Opens the browser's print dialog once the pictures have loaded or failed. */
async function printSheets(sheets: HTMLElement | null) {
  const pictures = [...(sheets?.querySelectorAll('img') ?? [])]
  const waiting = Promise.allSettled(pictures.map((picture) => picture.decode()))
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  if (pictures.some(({ complete }) => !complete)) await Promise.race([waiting, patience])
  window.print()
}

type OfferChoiceProps = {
  offers: readonly OfferRecord[]
  chosen: ReadonlySet<string>
  today: Day
  onChoose: (chosen: ReadonlySet<string>) => void
}

/** Chooses the offers to print. Unpublished ones are marked. */
function OfferChoice({ offers, chosen, today, onChoose }: OfferChoiceProps) {
  function toggle(id: string) {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }

  return (
    <fieldset className="flex min-h-0 min-w-0 flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Offerte da stampare</legend>
      <div className="flex gap-2">
        <Button size="small" onClick={() => onChoose(new Set(offers.map(({ id }) => id)))}>
          Tutte
        </Button>
        <Button size="small" onClick={() => onChoose(new Set())}>
          Nessuna
        </Button>
      </div>
      <ul className="max-h-80 overflow-y-auto overscroll-contain rounded-card border border-line bg-surface lg:max-h-[60vh]">
        {offers.map((offer) => {
          const state = stateOf(offer, today)
          return (
            <li key={offer.id} className="border-b border-line last:border-b-0">
              <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-2 text-sm hover:bg-sunken">
                <input
                  type="checkbox"
                  checked={chosen.has(offer.id)}
                  onChange={() => toggle(offer.id)}
                  className="size-5 shrink-0 cursor-pointer accent-accent md:size-4"
                />
                <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">
                  {offer.fields.Nome_Prodotto}
                </span>
                {state === 'active' ? null : <OfferStateWord state={state} />}
              </label>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

/** What is printed; by default a flyer. */
export const SheetKind = z.enum(['volantino', 'etichette'])
type SheetKind = z.infer<typeof SheetKind>

const sheetsUrl = searchParamsFormat(
  z.object({ tipo: z.catch(SheetKind, 'volantino'), offerte: z.catch(z.string(), '') }),
)

/** The state of the page in the URL. @returns asked: ids of the initially chosen offers */
function useSheetsAddress() {
  const [{ tipo, offerte }, change] = useUrlFilter(sheetsUrl)
  const asked = useMemo(() => new Set(offerte.split(',').filter(Boolean)), [offerte])
  return {
    kind: tipo,
    asked,
    setKind: (kind: SheetKind) => change({ tipo: kind }, { replace: true }),
  }
}
