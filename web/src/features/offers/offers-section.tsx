import type { Day } from '@bancone/contract/dates'
import { taggedLink } from '@bancone/contract/link-tags'
import type { OfferRecord } from '@bancone/contract/offers'
import { Tag } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { useSearchText } from '../../lib/use-search-text.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { NativeSelect } from '../../ui/native-select.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { offerLinkId, offersListId, useListFocusFallback } from './offer-focus.ts'
import { countStates, countTabs, listedOffers, stateOf } from './offer-lists.ts'
import { sortings } from './offer-sortings.ts'
import { offerCount, unshownText } from './offer-texts.ts'
import {
  type Go,
  MAX_LETTERS,
  NO_FILTER,
  OfferSorting,
  type OffersAddress,
  OfferTab,
} from './offers-address.ts'
import { OffersList } from './offers-list.tsx'
import { OffersSkeleton } from './offers-skeleton.tsx'
import { publicAddress } from './public-page-panel.tsx'
import type { useOfferForm } from './use-offer-form.ts'

type OffersSectionProps = {
  /** Undefined while they are loading. */
  offers: readonly OfferRecord[] | undefined
  today: Day
  address: OffersAddress
  go: Go
  /** The readable code of the pharmacy. */
  code: string
  updating: { has: (offerId: string) => boolean }
  changed: string | null
  editor: Pick<ReturnType<typeof useOfferForm>, 'open' | 'link'>
  onDelete: (offer: OfferRecord, opener: HTMLElement) => void
  onToggle: (offer: OfferRecord) => void
  newAction: ReactNode
}

async function copyLink(offer: OfferRecord, code: string, today: Day) {
  try {
    await navigator.clipboard.writeText(taggedLink(publicAddress(code, offer.id), 'link'))
  } catch {
    toastError('Copia non riuscita: apri la pagina pubblica e copia il link da lì.')
    return
  }
  const unseen = stateOf(offer, today) !== 'active'
  toastSuccess(
    'Link copiato',
    unseen ? { description: 'Porterà all’offerta quando i clienti la vedranno.' } : {},
  )
}

/** Text about switched-on offers that are not published. */
function useUnshown(offers: readonly OfferRecord[], today: Day, { stato, q }: OffersAddress) {
  if (stato !== 'attive' || q.trim() !== '') return null
  const text = unshownText(countStates(offers, today))
  return text && `${text}: qui non ci sono.`
}

export function OffersSection(props: OffersSectionProps) {
  const { offers, today, address, go, editor } = props
  const id = useId()
  const wide = useMediaQuery(WIDE)
  const keptFocus = useListFocusFallback()
  const found = listedOffers(offers ?? [], address, today)
  const unshown = useUnshown(offers ?? [], today, address)
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3" {...keptFocus}>
      <h2 id={id} className="text-lg leading-tight font-medium">
        Le tue offerte
      </h2>
      <OfferTabs
        tab={address.stato}
        counts={offers ? countTabs(offers, today) : null}
        panelId={offersListId}
        onTab={(stato) => go({ stato })}
      />
      <OfferFilters address={address} go={go} />
      <p role="status" className="sr-only">
        {offers && address.q.trim() !== '' ? `Trovate: ${offerCount(found.length)}` : null}
      </p>
      {unshown ? <p className="text-sm text-muted">{unshown}</p> : null}
      <div
        id={offersListId}
        role="tabpanel"
        tabIndex={-1}
        aria-label="Elenco delle offerte"
        className="outline-none"
      >
        {offers === undefined ? <OffersSkeleton wide={wide} /> : null}
        {offers && found.length === 0 ? (
          <NoOffers none={offers.length === 0} address={address} go={go} action={props.newAction} />
        ) : null}
        {found.length > 0 ? (
          <OffersList
            offers={found}
            today={today}
            address={address}
            go={go}
            updating={props.updating}
            changed={props.changed}
            formLink={editor.link}
            actions={(offer) => ({
              onEdit: () => editor.open({ offerta: offer.id }),
              onCopy: () => editor.open({ copia: offer.id }),
              onLink: () => void copyLink(offer, props.code, today),
              onDelete: () => props.onDelete(offer, menuButton(offer)),
            })}
            onToggle={props.onToggle}
          />
        ) : null}
      </div>
    </section>
  )
}

/** Gets the focus back after the dialog of an offer. */
function menuButton({ id }: OfferRecord): HTMLElement {
  const link = document.getElementById(offerLinkId(id))
  const button = link?.closest('[data-offer]')?.querySelector<HTMLElement>('[aria-haspopup=menu]')
  return button ?? document.body
}

const ofTab: Record<OffersAddress['stato'], string> = {
  tutte: '',
  attive: 'Oggi non c’è nessuna offerta in corso.',
  inattive: 'Non c’è nessuna offerta inattiva.',
  archivio: 'Qui trovi le offerte scadute, per riproporle con «Duplica».',
}

type NoOffersProps = {
  /** The pharmacy has no offers at all. */
  none: boolean
  address: OffersAddress
  go: Go
  /** The button that opens the form. */
  action: ReactNode
}

/** Shown instead of an empty list: why it is empty, and what to do. */
function NoOffers({ none, address, go, action }: NoOffersProps) {
  const words = address.q.trim()

  function showAll() {
    // The button disappears with this notice.
    document.getElementById(offersListId)?.focus()
    go(NO_FILTER)
  }

  return (
    <EmptyList
      icon={<Tag />}
      title="Nessuna offerta trovata"
      action={none ? action : <Button onClick={showAll}>Mostra tutte le offerte</Button>}
    >
      {none ? (
        'Crea la prima con il modulo: la vedranno subito i tuoi clienti, nella pagina pubblica.'
      ) : words === '' ? (
        ofTab[address.stato]
      ) : (
        <span className="wrap-anywhere">
          Hai cercato «{words}»: controlla come è scritto, oppure prova con una parola sola.
        </span>
      )}
    </EmptyList>
  )
}

/** Search text and sorting of the list. */
function OfferFilters({ address, go }: { address: OffersAddress; go: Go }) {
  const search = useSearchText({
    inUrl: address.q,
    onSearch: (q) => go({ q }, { replace: true }),
  })
  return (
    <div className="flex gap-2">
      <SearchField
        search={search}
        placeholder="Nome, codice o categoria"
        maxLength={MAX_LETTERS}
        className="lg:max-w-md [&_input]:placeholder-shown:pr-2"
      />
      <NativeSelect
        label="Ordina per"
        className="max-sm:w-36"
        value={address.ordina}
        onChange={({ target }) => go({ ordina: OfferSorting.parse(target.value) })}
      >
        {sortings.map(({ sorting, text }) => (
          <option key={sorting} value={sorting}>
            {text}
          </option>
        ))}
      </NativeSelect>
    </div>
  )
}

const labels: Record<OfferTab, string> = {
  tutte: 'Tutte',
  attive: 'Attive',
  inattive: 'Inattive',
  archivio: 'Archivio',
}

type OfferTabsProps = {
  tab: OfferTab
  counts: Record<OfferTab, number> | null
  /** Id of the list that the tabs filter. */
  panelId: string
  onTab: (tab: OfferTab) => void
}

/** Tabs that filter the list. */
function OfferTabs({ tab, counts, panelId, onTab }: OfferTabsProps) {
  const tabs = OfferTab.options.map((id) => ({
    id,
    text: counts ? `${labels[id]} (${formatNumber(counts[id])})` : labels[id],
  }))
  return (
    <Tabs label="Quali offerte" tabs={tabs} selected={tab} panelId={panelId} onSelect={onTab} />
  )
}
