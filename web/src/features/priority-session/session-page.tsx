import { customerPriorityPath } from '@bancone/contract/pages'
import type {
  CustomerPrioritySession,
  PriorityPage,
  PriorityPharmacy,
} from '@bancone/contract/priority-customer'
import { type RefCallback, useCallback, useEffect, useRef } from 'react'
import { useWakeLock } from '../../lib/use-wake-lock.ts'
import { ArrivalCard } from './arrival-card.tsx'
import { DigitsForm } from './digits-form.tsx'
import { WithoutScript } from './find-page.tsx'
import { PrioritySessionCard } from './priority-session-card.tsx'
import { CALLED_TITLE, meanings, PAGE_TITLE, REPLACED, titles } from './priority-session-texts.ts'
import { Refused } from './refused.tsx'
import { Steps } from './steps.tsx'
import { card } from './styles.ts'
import { Toast, useToast } from './toast.tsx'
import { keepToken, useToken } from './token.ts'
import { type ChangeSession, useCalled, useSession } from './use-priority-session.ts'

type SessionPageProps = {
  pharmacy: PriorityPharmacy
  orderId: string
  /** What the server knew without a token. */
  drawn: Pick<PriorityPage, 'status' | 'refusal'>
  /** The customer has found it, and was at the form for that. */
  isFound?: boolean
}

const CALLED_VIBRATION = [400, 150, 400, 150, 400]

/** The page of a link. */
export function SessionPage({ pharmacy, orderId, drawn, isFound = false }: SessionPageProps) {
  const [token, setToken] = useToken()
  const { session, refusal, isLive, change } = useSession(pharmacy.code, token ?? null)
  const focusRef = useKeptFocus(session, isFound)
  const { toast, show, close } = useToast()
  const screenLock = useWakeLock(session?.status === 'user_arrived')

  useCalledTitle(session?.status === 'called')

  const press: ChangeSession = async (path, changed) => {
    // A failure of an earlier press ends with the next one.
    close()
    if (changed.to !== 'user_arrived') return change(path, changed)
    // Some browsers allow this in the click only, before the answer.
    screenLock.ask()
    let isWaiting = false
    try {
      const answer = await change(path, changed)
      isWaiting = answer.status === 'user_arrived'
      return answer
    } finally {
      if (!isWaiting) screenLock.release()
    }
  }

  // Phones of Apple have no vibration.
  useCalled(
    session,
    useCallback(() => {
      close()
      navigator.vibrate?.(CALLED_VIBRATION)
    }, [close]),
  )

  // A token that opens nothing any more is none: the digits give another one.
  const isOpen =
    token !== null && !(refusal?.code === 'priority.order_not_found' && drawn.status !== null)
  const refused = token && isOpen ? (refusal?.text ?? null) : drawn.refusal
  if (refused !== null) return <Refused text={refused} />
  const status = session?.status ?? drawn.status
  const isBefore = status === 'link_sent' || status === 'on_the_way'
  const isOver = status !== null && !['link_sent', 'on_the_way', 'user_arrived'].includes(status)
  return (
    <>
      {isBefore && isOpen ? (
        <ArrivalCard
          pharmacy={pharmacy}
          status={status}
          session={session}
          change={press}
          onToast={show}
          focusRef={focusRef}
        />
      ) : (
        <PrioritySessionCard
          pharmacy={pharmacy}
          session={session}
          title={session?.isReplaced ? REPLACED : titles[status ?? 'link_sent']}
          meaning={status === null ? '' : meanings[status]}
          isLoading={isOpen && session === null}
          change={press}
          onToast={show}
          focusRef={focusRef}
        >
          {isOpen ? null : (
            <DigitsForm
              pharmacyCode={pharmacy.code}
              orderId={orderId}
              onUnlocked={(unlocked) => {
                keepToken(unlocked.token, customerPriorityPath(pharmacy.code, unlocked.orderId))
                setToken(unlocked.token)
              }}
            />
          )}
          <WithoutScript pharmacy={pharmacy} />
        </PrioritySessionCard>
      )}
      {isLive || isOver ? null : (
        <p role="status" className={`${card} py-3 text-sm text-pending`}>
          Connessione assente: riproviamo da soli. Se ti chiamano al banco, vai pure.
        </p>
      )}
      {/* The card grows when it is loaded: what is not yet seen does not move. */}
      {isOver ? null : (
        <div className={isOpen && session === null && !isBefore ? 'until-loaded invisible' : ''}>
          <Steps />
        </div>
      )}
      {session === null ? null : <Numbers orderNumber={session.orderNumber} code={pharmacy.code} />}
      <Toast toast={toast} onClose={close} />
    </>
  )
}

/** Shows the call in the title of the tab, for customers who look at another one. */
function useCalledTitle(isCalled: boolean) {
  useEffect(() => {
    document.title = isCalled ? CALLED_TITLE : PAGE_TITLE
  }, [isCalled])
}

/**
 * A change of the state may take away the control that has the focus. Then what stands in its place gets it: keyboards
 * and screen readers would begin at the top of the page.
 */
function useKeptFocus(
  session: CustomerPrioritySession | null,
  isFound: boolean,
): RefCallback<HTMLElement> {
  const target = useRef<HTMLElement>(null)
  const hadFocus = useRef(isFound)
  const state = session?.status
  useEffect(() => {
    const note = () => {
      hadFocus.current = true
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  useEffect(() => {
    const isLost = hadFocus.current && document.activeElement === document.body
    if (state !== undefined && isLost) target.current?.focus()
  }, [state])
  return useCallback((element: HTMLElement | null) => {
    if (element) target.current = element
  }, [])
}

function Numbers({ orderNumber, code }: { orderNumber: string | null; code: string }) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 px-1 text-sm text-muted">
      {orderNumber === null ? null : (
        <div className="flex gap-1">
          <dt>Ordine n.</dt>
          <dd className="break-all">{orderNumber}</dd>
        </div>
      )}
      <div className="flex gap-1">
        <dt>Farmacia</dt>
        <dd className="break-all">{code}</dd>
      </div>
    </dl>
  )
}
