import {
  AnalyticsSettings,
  changeAnalyticsSettings,
  getAnalyticsSettings,
} from '@bancone/contract/analytics-settings'
import { paths } from '@bancone/contract/pages'
import { orderMessage } from '@bancone/contract/whatsapp-order'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { endpointKey, useEndpoint, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toastError, toastSuccess } from '../../../ui/toast.ts'

type Setting = keyof AnalyticsSettings

const example = orderMessage(
  [
    {
      name: 'Crema mani',
      cents: 990,
      quantity: 1,
      equivalent: false,
      discounted: true,
      medicine: false,
    },
  ],
  'K7RM4P',
)

const labels: Record<Setting, string> = {
  isCounting: 'Conta le visite',
  hasOrderCodes: "Codici d'ordine nei messaggi WhatsApp",
  hasWeeklyMail: 'Riepilogo settimanale per email',
}

const hints: Record<Setting, ReactNode> = {
  isCounting:
    'Conta chi apre la pagina pubblica delle offerte, senza cookie e senza sapere chi è. Spento, la pagina continua a funzionare ma le visite non si vedono più qui.',
  hasOrderCodes:
    "Il messaggio WhatsApp di ogni ordine porta un codice breve, che unisce l'ordine all'offerta: così vedi quali offerte diventano ordini.",
  hasWeeklyMail:
    "Ogni lunedì, all'email della farmacia: tre frasi sulla settimana e un suggerimento.",
}

/** Each switch takes effect at once, and can be undone. */
function useChange() {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useEndpointMutation(changeAnalyticsSettings)
  const key = endpointKey(getAnalyticsSettings, {})

  async function change(setting: Setting, isOn: boolean, canUndo: boolean) {
    const show = (value: boolean) =>
      client.setQueryData<AnalyticsSettings>(
        key,
        (known) => known && { ...known, [setting]: value },
      )
    // A query under way would restore the old value.
    await client.cancelQueries({ queryKey: key })
    show(isOn)
    try {
      client.setQueryData(key, await mutateAsync({ body: { [setting]: isOn } }))
      toastSuccess('Impostazioni salvate', {
        about: 'analytics-settings',
        ...(canUndo && {
          action: { label: 'Annulla', run: () => void change(setting, !isOn, false) },
        }),
      })
    } catch (failed) {
      show(!isOn)
      toastError(errorMessage(failed), { about: 'analytics-settings' })
    }
  }
  return { change, isPending }
}

type SwitchesProps = { settings: AnalyticsSettings; isOwner: boolean }

function Switches({ settings, isOwner }: SwitchesProps) {
  const { change, isPending } = useChange()
  return (
    <section
      aria-label="Impostazioni"
      className="divide-y divide-line rounded-card border border-line bg-surface"
    >
      {isOwner ? null : (
        <p className="px-4 py-3 text-sm text-muted md:px-5">
          Le impostazioni le cambiano i titolari della farmacia.
        </p>
      )}
      {z.keyof(AnalyticsSettings).options.map((setting) => (
        <div key={setting} className="px-4 py-4 md:px-5">
          <Switch
            label={labels[setting]}
            hint={hints[setting]}
            checked={settings[setting]}
            inactive={!isOwner || isPending}
            onChange={(checked) => void change(setting, checked, true)}
          />
          {setting === 'hasOrderCodes' ? <ExampleMessage /> : null}
        </div>
      ))}
    </section>
  )
}

/** The message of an order with a code. */
function ExampleMessage() {
  return (
    <figure className="mt-3 max-w-md rounded-control border border-line bg-sunken p-3 text-sm">
      <figcaption className="text-xs text-muted">Esempio di messaggio con il codice</figcaption>
      <p className="mt-1.5 whitespace-pre-line">{example}</p>
    </figure>
  )
}

/** Whether page views are counted, messages carry codes, and a weekly mail is sent. For owners. */
export function SettingsPage({ isOwner }: { isOwner: boolean }) {
  const query = useEndpoint(getAnalyticsSettings, {})
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      <div>
        <Link
          to={paths.analytics}
          className="-mx-1 inline-flex min-h-11 items-center gap-1 rounded px-1 text-sm text-muted underline-offset-4 hover:text-ink hover:underline md:min-h-8"
        >
          <ChevronLeft aria-hidden className="size-4" />
          Analytics
        </Link>
        <PageTitle>Impostazioni Analytics</PageTitle>
      </div>
      <QueryStates query={query} skeleton={<SettingsSkeleton />}>
        {(settings) => <Switches settings={settings} isOwner={isOwner} />}
      </QueryStates>
    </div>
  )
}

function SettingsSkeleton() {
  return (
    <Loading
      text="Caricamento delle impostazioni in corso…"
      className="flex flex-col gap-6 rounded-card border border-line bg-surface p-5"
    >
      {['w-40', 'w-72', 'w-60'].map((width) => (
        <div key={width}>
          <Skeleton className={`h-4.5 max-w-full ${width}`} />
          <Skeleton className="mt-2 h-3.5 w-4/5" />
        </div>
      ))}
    </Loading>
  )
}
