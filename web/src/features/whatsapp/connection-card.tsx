import type { WhatsAppConnection } from '@bancone/contract/whatsapp'
import { CircleCheck, CircleX, Hourglass, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { cn } from '../../ui/class-names.ts'
import { limitText, nameStatusText, qualityText, stateTexts } from './whatsapp-texts.ts'

const looks = {
  good: { Icon: CircleCheck, className: 'border-confirmed-line bg-confirmed-soft text-confirmed' },
  waiting: { Icon: Hourglass, className: 'border-pending-line bg-pending-soft text-pending' },
  bad: { Icon: CircleX, className: 'border-danger-line bg-danger-soft text-danger' },
  off: { Icon: Unplug, className: 'border-line bg-sunken text-muted' },
}

/** The state of the number, and what Meta says of it. @param children what can be done */
export function ConnectionCard(props: { connection: WhatsAppConnection; children: ReactNode }) {
  const { connection, children } = props
  const { word, text, tone } = stateTexts[connection.state]
  const { Icon, className } = looks[tone]
  const isOff = connection.state === 'disconnected'
  return (
    <section
      aria-labelledby="whatsapp-state"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="whatsapp-state" className="text-lg font-medium tracking-tight tabular-nums">
          {connection.displayPhoneNumber ?? 'Nessun numero'}
        </h2>
        <p
          className={cn(
            'inline-flex items-center gap-1.5 rounded-full border px-2.5 py-1 text-sm font-medium',
            className,
          )}
        >
          <Icon aria-hidden className="size-4" />
          {word}
        </p>
      </div>
      <p className="-mt-2 text-sm text-pretty text-muted">{text}</p>
      {isOff ? null : <Facts connection={connection} />}
      {children}
    </section>
  )
}

const orNever = (time: string | null) => (time === null ? 'Mai' : formatDateTime(time))

function Facts({ connection }: { connection: WhatsAppConnection }) {
  const { sent, delivered, read, failed } = connection.lastDay
  const facts: [string, string][] = [
    ['Nome', connection.verifiedName ?? 'Non ancora noto'],
    ['Approvazione del nome', nameStatusText(connection.nameStatus)],
    ['Account', connection.accountName ?? connection.wabaId ?? 'Non ancora noto'],
    ['Qualità', qualityText(connection.quality)],
    ['Limite di invio', limitText(connection.messagingLimit)],
    ['Eventi da Meta', connection.isSubscribed ? 'Attivi' : 'Non attivi'],
    ["Usato anche nell'app", connection.isOnBusinessApp ? 'Sì' : 'No'],
    ['Ultimo messaggio ricevuto', orNever(connection.lastInboundAt)],
    [
      'Inviati nelle ultime 24 ore',
      `${sent + delivered + read} (${delivered + read} consegnati, ${read} letti), ${failed} non riusciti`,
    ],
    [
      'Autorizzazione',
      connection.expiresAt === null
        ? 'Senza scadenza'
        : `Fino al ${formatDateTime(connection.expiresAt)}`,
    ],
    ['Ultima verifica', orNever(connection.checkedAt)],
  ]
  return (
    <dl className="grid gap-x-6 gap-y-3 border-t border-line pt-4 text-sm sm:grid-cols-2">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="font-medium wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
