import { FREE_TEXTS_PER_MONTH, type WhatsAppMessages } from '@bancone/contract/whatsapp-messages'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { sentNames } from './messages-texts.ts'

const euros = new Intl.NumberFormat('it-IT', { style: 'currency', currency: 'EUR' })

/** The messages of this month by kind, the free ones, and what the others cost. */
export function MessageMeter({ usage, monthlyLimit, messagePrice }: WhatsAppMessages) {
  const { kinds, texts, paid } = usage
  const free = Math.min(texts, FREE_TEXTS_PER_MONTH)
  const isBeyond = monthlyLimit !== null && paid >= monthlyLimit
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <h3 className="font-medium">Questo mese</h3>
      <ProgressBar
        label="Testi liberi senza costo"
        text={`${formatNumber(free)} di ${formatNumber(FREE_TEXTS_PER_MONTH)} testi liberi senza costo`}
        percent={Math.floor((free / FREE_TEXTS_PER_MONTH) * 100)}
      />
      <p className="text-sm text-pretty">
        <strong className="font-medium">
          {formatCount(paid, 'messaggio a pagamento', 'messaggi a pagamento')}
        </strong>
        {monthlyLimit === null ? '' : ` di ${formatNumber(monthlyLimit)}`}
        {messagePrice === null
          ? '. Scrivi il prezzo di un messaggio per vedere quanto costano.'
          : `, circa ${euros.format(paid * messagePrice)}.`}
        {isBeyond ? ' Il limite è raggiunto: niente parte da solo fino al mese prossimo.' : ''}
      </p>
      {kinds.length > 0 ? (
        <dl className="flex flex-col gap-1 text-sm text-muted">
          {kinds.map(({ kind, count }) => (
            <div key={kind} className="flex justify-between gap-4">
              <dt>{sentNames[kind]}</dt>
              <dd className="tabular-nums">{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <p className="text-sm text-pretty text-muted">
        Da ottobre 2026 Meta fa pagare i modelli sempre, e i testi liberi oltre i primi{' '}
        {formatNumber(FREE_TEXTS_PER_MONTH)} del mese. Fa fede la fattura di Meta.
      </p>
    </div>
  )
}
