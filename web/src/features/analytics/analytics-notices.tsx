import type { Analytics } from '@bancone/contract/analytics'
import { paths } from '@bancone/contract/pages'
import { Link } from 'react-router'
import { formatMoment } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { Alert } from '../../ui/alert.tsx'
import { buttonStyle } from '../../ui/button.tsx'

type NoticesProps = { analytics: Analytics; isCounting: boolean }

/** What the figures lack. */
export function AnalyticsNotices({ analytics, isCounting }: NoticesProps) {
  const now = useNow()
  const { isLive, isStale, ordersFailed, syncedAt } = analytics
  return (
    <>
      {isLive ? (
        <Alert tone="notice">
          Le statistiche già contate non si possono leggere. Queste vengono dalle singole visite,
          che si conservano per poco tempo: ne possono mancare.
        </Alert>
      ) : null}
      {ordersFailed ? (
        <Alert tone="notice">
          Gli ordini non si sono potuti leggere: qui contano zero. Le visite ci sono tutte.
        </Alert>
      ) : isStale ? (
        <Alert tone="notice">
          {syncedAt === null
            ? 'Gli ordini di Airtable non si leggono: possono essere incompleti.'
            : `Gli ordini di Airtable non si leggono: questi sono quelli ${formatMoment(syncedAt, now)}.`}
        </Alert>
      ) : null}
      {isCounting ? null : (
        <Alert
          tone="notice"
          action={
            <Link to={paths.analyticsSettings} className={buttonStyle({ size: 'small' })}>
              Impostazioni
            </Link>
          }
        >
          Le visite non vengono contate: il conteggio è spento.
        </Alert>
      )}
    </>
  )
}
