import {
  getPrioritySettings,
  listPriorityDisplays,
  MAX_DISPLAYS,
  type PriorityDisplay,
  type PrioritySettings,
  removePriorityDisplay,
} from '@bancone/contract/priority'
import { useQueryClient } from '@tanstack/react-query'
import { MonitorUp, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { useOpened } from '../../../lib/use-opened.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { RemovalDialog } from '../../../ui/removal-dialog.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { DisplaySheet } from './display-sheet.tsx'
import { SettingsForm } from './settings-form.tsx'

/** How the pharmacy uses priority access: owners change it, others read it. */
export function SettingsPage({ isOwner }: { isOwner: boolean }) {
  const query = useEndpoint(getPrioritySettings, {}, { refetchOnWindowFocus: false })
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-5">
      <PageTitle>Impostazioni Priority</PageTitle>
      <QueryStates query={query} skeleton={<SettingsSkeleton />}>
        {(settings) =>
          isOwner ? <SettingsForm settings={settings} /> : <SettingsFacts settings={settings} />
        }
      </QueryStates>
      <DisplaysSection isOwner={isOwner} />
    </div>
  )
}

function SettingsSkeleton() {
  return (
    <Loading
      text="Caricamento delle impostazioni in corso…"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <Skeleton shape="control" className="h-12 w-full" />
      <Skeleton shape="control" className="h-12 w-full" />
      <Skeleton shape="control" className="h-24 w-full" />
    </Loading>
  )
}

/** How the pharmacy uses priority access, for those who cannot change it. */
function SettingsFacts({ settings }: { settings: PrioritySettings }) {
  const facts = [
    ['Giorni di validità del link', formatNumber(settings.linkDays)],
    ["Minuti dopo i quali un'attesa è lunga", formatNumber(settings.lateMinutes)],
    ['Crea il link da solo', settings.issueOnStatus ?? 'Mai'],
    ['Messaggio WhatsApp', settings.message],
  ] as const
  return (
    <section
      aria-label="Impostazioni"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <p className="text-sm text-muted">Le impostazioni le cambiano i titolari della farmacia.</p>
      <dl className="flex flex-col gap-3">
        {facts.map(([term, text]) => (
          <div key={term}>
            <dt className="text-sm text-muted">{term}</dt>
            <dd className="wrap-anywhere whitespace-pre-wrap">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

type DisplayListProps = {
  displays: readonly PriorityDisplay[]
  isOwner: boolean
  onRemove: (display: PriorityDisplay, opener: HTMLElement) => void
}

function DisplayList({ displays, isOwner, onRemove }: DisplayListProps) {
  return (
    <ul className="divide-y divide-line rounded-card border border-line bg-surface">
      {displays.map((display) => (
        <li key={display.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
          <div className="min-w-0 flex-1 basis-60">
            <p className="font-medium wrap-anywhere">{display.name}</p>
            <p className="text-sm text-muted tabular-nums">
              Creato il {formatDateTime(display.createdAt)} ·{' '}
              {display.lastSeenAt === null
                ? 'mai aperto'
                : `visto il ${formatDateTime(display.lastSeenAt)}`}
            </p>
          </div>
          {isOwner ? (
            <Button
              aria-label={`Elimina lo schermo ${display.name}`}
              aria-haspopup="dialog"
              onClick={({ currentTarget }) => onRemove(display, currentTarget)}
            >
              Elimina
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** The screens in the room. Owners add and remove them. */
function DisplaysSection({ isOwner }: { isOwner: boolean }) {
  const client = useQueryClient()
  const query = useEndpoint(listPriorityDisplays, {})
  const [making, setMaking] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const newButton = useRef<HTMLButtonElement>(null)
  const removing = useOpened<PriorityDisplay>(heading)
  const { item: removed } = removing
  const full = query.data !== undefined && query.data.displays.length >= MAX_DISPLAYS
  return (
    <section aria-labelledby="schermi-in-sala" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2
          ref={heading}
          id="schermi-in-sala"
          tabIndex={-1}
          className="text-lg font-medium tracking-tight outline-none"
        >
          Schermi in sala
        </h2>
        {isOwner ? (
          <Button
            ref={newButton}
            aria-haspopup="dialog"
            inactive={full}
            onClick={() => setMaking(true)}
          >
            <Plus aria-hidden />
            Nuovo schermo
          </Button>
        ) : null}
      </div>
      {full ? (
        <p className="text-sm text-muted">
          Hai {MAX_DISPLAYS} schermi, il massimo: per crearne un altro eliminane uno.
        </p>
      ) : null}
      <QueryStates query={query} skeleton={<DisplaysSkeleton />}>
        {({ displays }) =>
          displays.length === 0 ? (
            <EmptyList icon={<MonitorUp />} title="Nessuno schermo">
              Uno schermo in sala mostra in grande i codici chiamati e il banco, senza nomi.
            </EmptyList>
          ) : (
            <DisplayList displays={displays} isOwner={isOwner} onRemove={removing.open} />
          )
        }
      </QueryStates>
      {making ? (
        <DisplaySheet
          onClose={() => {
            setMaking(false)
            void client.invalidateQueries({ queryKey: endpointKey(listPriorityDisplays) })
          }}
          onReturnFocus={() => newButton.current?.focus()}
        />
      ) : null}
      {removed ? (
        <RemovalDialog
          title={`Eliminare lo schermo «${removed.name}»?`}
          text="Smette subito di mostrare le chiamate, e il suo link non vale più."
          remove={() => call(removePriorityDisplay, { params: { displayId: removed.id } })}
          goneCode="priority.display_not_found"
          list={listPriorityDisplays}
          done="Schermo eliminato"
          {...removing.modal}
        />
      ) : null}
    </section>
  )
}

function DisplaysSkeleton() {
  return (
    <Loading
      text="Caricamento degli schermi in corso…"
      className="rounded-card border border-line bg-surface p-4"
    >
      <Skeleton className="h-4.5 w-40" />
      <Skeleton className="mt-2 h-3.5 w-3/5" />
    </Loading>
  )
}
