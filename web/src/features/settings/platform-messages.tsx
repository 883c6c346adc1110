import { addDays, dayOf, formatShortDay } from '@bancone/contract/dates'
import { topicEvents } from '@bancone/contract/realtime'
import {
  dismissNotice,
  getNotice,
  getSupportContact,
  type NoticeSeverity,
} from '@bancone/contract/settings'
import { PLAN_GRACE_DAYS } from '@bancone/contract/subscription-plans'
import { useQueryClient } from '@tanstack/react-query'
import { Info, TriangleAlert, X } from 'lucide-react'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { usePharmacyEvents } from '../../lib/pharmacy-events.ts'
import { useNow } from '../../lib/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'

const looks: Record<NoticeSeverity, { word: string; className: string }> = {
  info: { word: 'Informazione', className: 'border-line-strong bg-surface text-ink' },
  warning: {
    word: 'Attenzione',
    className: 'border-pending-line bg-pending-soft text-pending',
  },
  critical: { word: 'Urgente', className: 'border-danger-line bg-danger-soft text-danger' },
}

/**
 * What the people who run the platform say to the pharmacies: the contact for support, the end of the plan, and the
 * notice in force.
 *
 * @param planEnd last day of the pharmacy's plan; not given while it is unknown, or when the plan has no end
 */
export function PlatformMessages({ planEnd }: { planEnd: string | null | undefined }) {
  return (
    <>
      <SupportLine />
      {/* Sticks to the window's lower edge, so that nothing moves when something appears in it. */}
      <div className="sticky bottom-0 z-10 print:hidden">
        {planEnd ? <PlanEndBar end={planEnd} /> : null}
        <NoticeBar />
      </div>
    </>
  )
}

const link =
  'inline-flex min-h-11 items-center rounded px-1 underline-offset-4 hover:text-ink hover:underline md:min-h-8 pointer-coarse:min-h-11'

function SupportLine() {
  const { data } = useEndpoint(getSupportContact, {})
  if (!data) return null
  const { email, phone, whatsapp, hours } = data
  if (!email && !phone && !whatsapp) return null
  return (
    <section
      aria-label="Assistenza"
      className="mx-auto flex w-full max-w-360 flex-wrap items-center gap-x-3 px-4 pb-4 text-sm text-muted lg:px-6 print:hidden"
    >
      <span>Assistenza</span>
      {email ? (
        <a className={cn(link, 'wrap-anywhere')} href={`mailto:${email}`}>
          {email}
        </a>
      ) : null}
      {phone ? (
        <a className={link} href={`tel:${phone}`}>
          {phone}
        </a>
      ) : null}
      {whatsapp ? (
        <a
          className={link}
          href={`https://wa.me/${whatsapp.replace('+', '')}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          WhatsApp
        </a>
      ) : null}
      {hours ? <span>{hours}</span> : null}
    </section>
  )
}

/** `setTimeout` fires at once for a longer time. */
const MAX_TIMER_MS = 2 ** 31 - 1

function NoticeBar() {
  const client = useQueryClient()
  const { data } = useEndpoint(
    getNotice,
    {},
    {
      refetchInterval: ({ state }) => {
        const seconds = state.data?.changesInSeconds
        return seconds ? Math.min(seconds * 1000, MAX_TIMER_MS) : false
      },
    },
  )
  const queryKey = endpointKey(getNotice, {})
  usePharmacyEvents((event) => {
    if (event !== topicEvents.notice && event !== topicEvents.missed) return
    void client.invalidateQueries({ queryKey })
  })
  const notice = data?.notice

  async function dismiss(version: number) {
    client.setQueryData(queryKey, { notice: null, changesInSeconds: null })
    // A notice that could not be dismissed appears again with the next page.
    await call(dismissNotice, { body: { version } }).catch(() => undefined)
  }

  return (
    <div role={notice?.severity === 'critical' ? 'alert' : 'status'}>
      {notice ? (
        <Bar
          severity={notice.severity}
          text={notice.text}
          onClose={() => void dismiss(notice.version)}
        />
      ) : null}
    </div>
  )
}

/** Says that the plan has ended, and until when its features remain. */
function PlanEndBar({ end }: { end: string }) {
  const today = dayOf(useNow())
  if (today <= end) return null
  const last = addDays(end, PLAN_GRACE_DAYS)
  const rest =
    today <= last
      ? `le sue funzionalità restano attive fino al ${formatShortDay(last)}`
      : 'le sue funzionalità non sono più attive'
  return (
    <Bar
      severity="warning"
      text={`Il tuo piano è scaduto il ${formatShortDay(end)}: ${rest}. Contatta l'assistenza per rinnovarlo.`}
    />
  )
}

type BarProps = { severity: NoticeSeverity; text: string; onClose?: () => void }

function Bar({ severity, text, onClose }: BarProps) {
  const { word, className } = looks[severity]
  const Icon = severity === 'info' ? Info : TriangleAlert
  return (
    <div className={cn('border-t', className)}>
      <div className="mx-auto flex min-h-12 w-full max-w-360 items-center gap-3 px-4 py-2 text-sm lg:px-6">
        <Icon aria-hidden className="size-4.5 shrink-0" />
        <p className="min-w-0 flex-1 wrap-anywhere">
          <span className="sr-only">{word}: </span>
          {text}
        </p>
        {onClose ? (
          <Button
            look="quiet"
            size="square"
            className="text-current!"
            aria-label="Chiudi l'avviso"
            onClick={onClose}
          >
            <X aria-hidden />
          </Button>
        ) : null}
      </div>
    </div>
  )
}
