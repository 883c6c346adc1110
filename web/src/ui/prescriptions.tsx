import { mayHaveCodes } from '@bancone/contract/may-have-codes'
import { type ComponentType, type ReactNode, useCallback, useContext, useState } from 'react'
import { usePrescriptionCodes } from '../lib/use-prescription-codes.ts'
import { cn } from './class-names.ts'
import { LazyBoundary } from './lazy-boundary.tsx'
import { PrescriptionsContext, type PrescriptionsProps } from './prescriptions-context.ts'
import { Loading, Skeleton } from './skeleton.tsx'

/** The codes of prescriptions in a text, or nothing. */
export function Prescriptions(props: PrescriptionsProps) {
  const load = useContext(PrescriptionsContext)
  return load && mayHaveCodes(props.text) ? <LoadedPrescriptions load={load} {...props} /> : null
}

type LoadedProps = PrescriptionsProps & { load: () => Promise<ComponentType<PrescriptionsProps>> }

/** Until the code is loaded there is about as much room as the codes will take, so that what is below stays. */
function LoadedPrescriptions({ load, ...props }: LoadedProps) {
  const count = usePrescriptionCodes(props.text).length
  const [isLoading, setLoading] = useState(true)
  const loadPart = useCallback(() => load().finally(() => setLoading(false)), [load])
  return (
    <>
      {isLoading && count > 0 ? (
        <Loading className="mt-4 mb-3 border-t border-line py-4">
          <Skeleton className="h-8 w-2/5" />
          {Array.from({ length: count }, (_, index) => (
            <Skeleton key={index} className="mt-3 h-10" />
          ))}
        </Loading>
      ) : null}
      <LazyBoundary load={loadPart} props={props} />
    </>
  )
}

/** A text with the codes of prescriptions marked. */
export function WithCodesMarked({ text }: { text: string }) {
  const codes = usePrescriptionCodes(text)
  const pieces: ReactNode[] = []
  let end = 0
  for (const code of codes) {
    pieces.push(text.slice(end, code.start))
    pieces.push(
      <mark
        key={code.start}
        className={cn(
          'rounded px-0.5 text-ink',
          code.doubts.length === 0
            ? 'bg-accent-soft'
            : 'underline decoration-pending decoration-wavy underline-offset-4',
        )}
      >
        {text.slice(code.start, code.end)}
      </mark>,
    )
    end = code.end
  }
  return [...pieces, text.slice(end)]
}
