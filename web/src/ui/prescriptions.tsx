import { mayHaveCodes } from '@bancone/contract/may-have-codes'
import { type ReactNode, useContext } from 'react'
import { usePrescriptionCodes } from '../lib/use-prescription-codes.ts'
import { LazyBoundary } from './lazy-boundary.tsx'
import { PrescriptionsContext, type PrescriptionsProps } from './prescriptions-context.ts'

/** The codes of prescriptions in a text, or nothing. */
export function Prescriptions(props: PrescriptionsProps) {
  const load = useContext(PrescriptionsContext)
  return load && mayHaveCodes(props.text) ? <LazyBoundary load={load} props={props} /> : null
}

/** A text with the codes of prescriptions marked. */
export function WithCodesMarked({ text }: { text: string }) {
  const codes = usePrescriptionCodes(text)
  const pieces: ReactNode[] = []
  let end = 0
  for (const code of codes) {
    pieces.push(text.slice(end, code.start))
    pieces.push(
      <mark key={code.start} className="rounded bg-accent-soft px-0.5 text-ink">
        {text.slice(code.start, code.end)}
      </mark>,
    )
    end = code.end
  }
  return [...pieces, text.slice(end)]
}
