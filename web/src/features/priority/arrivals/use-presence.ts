import { COUNTER_HEARTBEAT_MS, recordCounterPresence } from '@bancone/contract/priority-counters'
import { useEffect } from 'react'
import { call } from '../../../lib/api.ts'
import { startSteadyInterval } from '../../../lib/steady-interval.ts'
import { deviceId, useDeskName } from '../desk.ts'

/** Says every twenty seconds that a page is open, so that customers are not promised an operator who is not there. */
export function usePresence() {
  const desk = useDeskName()
  useEffect(() => {
    const report = () =>
      // The next one follows soon.
      void call(recordCounterPresence, { body: { deviceId: deviceId(), desk } }).catch(
        () => undefined,
      )
    report()
    const stop = startSteadyInterval(report, COUNTER_HEARTBEAT_MS)
    // A device that was asleep.
    const onVisible = () => {
      if (document.visibilityState === 'visible') report()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [desk])
}
