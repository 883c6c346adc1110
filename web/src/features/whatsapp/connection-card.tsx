import type { WhatsAppConnection } from '@bancone/contract/whatsapp'
import { CircleCheck, CircleX, Hourglass, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { cn } from '../../ui/class-names.ts'
import { connectionTexts, limitText, nameStatusText, qualityText } from './whatsapp-texts.ts'

const looks = {
  good: { Icon: CircleCheck, className: 'border-confirmed-line bg-confirmed-soft text-confirmed' },
  waiting: { Icon: Hourglass, className: 'border-pending-line bg-pending-soft text-pending' },
  bad: { Icon: CircleX, className: 'border-danger-line bg-danger-soft text-danger' },
  off: { Icon: Unplug, className: 'border-line bg-sunken text-muted' },
}

type ConnectionCardProps = {
  /** Null: no number was ever connected. */
  connection: WhatsAppConnection | null
  /** What calls for attention. */
  warnings?: ReactNode
  /** What can be done. */
  children?: ReactNode
}

/** The state of the number, and what Meta says of it. */
export function ConnectionCard({ connection, warnings, children }: ConnectionCardProps) {
  const { word, text, tone } = connection ? connectionTexts(connection) : noNumber
  const { Icon, className } = looks[tone]
  const isOff = connection === null || connection.state === 'disconnected'
  return (
    <section
      aria-labelledby="whatsapp-state"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="whatsapp-state" className="text-lg font-medium tracking-tight tabular-nums">
          {connection?.displayPhoneNumber ?? 'Nessun numero'}
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
      {warnings}
      {isOff ? null : <Facts connection={connection} />}
      {children}
    </section>
  )
}

const noNumber = {
  word: 'Non collegato',
  text: 'Nessun numero collegato. Qui vedrai lo stato del numero WhatsApp della farmacia.',
  tone: 'off',
} as const

const orNever = (time: string | null) => (time === null ? 'Mai' : formatDateTime(time))

function lastDayText({ sent, delivered, read, failed }: WhatsAppConnection['lastDay']): string {
  const all = sent + delivered + read
  if (all + failed === 0) return 'Nessuno'
  return `${all} (${delivered + read} consegnati, ${read} letti), ${failed} non riusciti`
}

function Facts({ connection }: { connection: WhatsAppConnection }) {
  const facts: [string, string][] = [
    ['Nome', connection.verifiedName ?? 'Non ancora noto'],
    ['Approvazione del nome', nameStatusText(connection.nameStatus)],
    ['Account', connection.accountName ?? connection.wabaId ?? 'Non ancora noto'],
    ['Qualità', qualityText(connection.quality)],
    ['Limite di invio', limitText(connection.messagingLimit)],
    ['Eventi da Meta', connection.isSubscribed ? 'Attivi' : 'Non attivi'],
    ["Usato anche nell'app", connection.isOnBusinessApp ? 'Sì' : 'No'],
    ['Ultimo messaggio ricevuto', orNever(connection.lastInboundAt)],
    ['Ultimo messaggio inviato', orNever(connection.lastOutboundAt)],
    ['Inviati nelle ultime 24 ore', lastDayText(connection.lastDay)],
    [
      'Autorizzazione',
      connection.expiresAt === null
        ? 'Senza scadenza'
        : `Fino al ${formatDateTime(connection.expiresAt)}`,
    ],
    ['Ultima verifica', orNever(connection.checkedAt)],
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 border-t border-line pt-4 text-sm sm:gap-x-6">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="font-medium wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
