import { recordShownCodes } from '@bancone/contract/order-details'
import {
  type FoundCode,
  findPrescriptionCodes,
  type Patient,
} from '@bancone/contract/prescription-codes'
import { ScanBarcode, TriangleAlert } from 'lucide-react'
import { useId, useMemo, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { doubtSentences } from '../../lib/prescription-doubts.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIconButton } from '../../ui/copy-button.tsx'
import type { PrescriptionsProps } from '../../ui/prescriptions-context.ts'
import { askingReply, codeNames, missingTexts } from './prescription-texts.ts'
import { barsInOrder, ReaderDialog } from './reader-dialog.tsx'

/** The codes in a text: for each person the codice fiscale and the prescriptions, for the reader of the counter. */
export function PrescriptionList({ text, recordId, onAsk }: PrescriptionsProps) {
  const id = useId()
  const { patients } = useMemo(() => findPrescriptionCodes(text), [text])
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useOpened<readonly Patient[]>(heading)
  if (patients.length === 0) return null
  const missing = missingTexts(patients)
  return (
    <section
      aria-labelledby={id}
      className="mt-4 mb-3 flex flex-col gap-3 border-t border-line pt-4 print:hidden"
    >
      <div className="flex items-start justify-between gap-3">
        <h3 id={id} ref={heading} tabIndex={-1} className="font-medium outline-none">
          Ricetta
        </h3>
        {barsInOrder(patients).length > 0 ? (
          <Button
            size="small"
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => {
              shown.open(patients, currentTarget)
              // The customer at the counter does not wait for the log.
              call(recordShownCodes, { body: { recordId } }).catch(() => undefined)
            }}
          >
            <ScanBarcode aria-hidden />
            Mostra al lettore
          </Button>
        ) : null}
      </div>
      {patients.map((patient) => (
        <PatientCodes key={patient.identity?.value ?? ''} patient={patient} />
      ))}
      {missing.length > 0 ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="flex items-start gap-2 text-sm">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-pending" />
            {missing.join('. ')}.
          </p>
          {onAsk ? (
            <Button size="small" onClick={() => onAsk(askingReply(missing))}>
              Chiedi al cliente
            </Button>
          ) : null}
        </div>
      ) : null}
      {shown.item ? <ReaderDialog bars={barsInOrder(shown.item)} {...shown.modal} /> : null}
    </section>
  )
}

function PatientCodes({ patient: { identity, prescriptions } }: { patient: Patient }) {
  return (
    <dl className="rounded-control border border-line px-3 py-1">
      {identity ? <Code code={identity} /> : null}
      {prescriptions.map((code) => (
        <Code key={code.value} code={code} />
      ))}
    </dl>
  )
}

function Code({ code }: { code: FoundCode }) {
  const name = codeNames[code.kind]
  return (
    <div className="relative py-1 pr-12">
      <dt className="text-xs text-muted">{name}</dt>
      <dd>
        <span className="font-mono wrap-anywhere">{code.value}</span>
        {code.pin ? <span className="block font-mono">PIN {code.pin}</span> : null}
        {doubtSentences(code).map((sentence) => (
          <span key={sentence} className="block text-sm text-muted">
            {sentence}
          </span>
        ))}
        <span className="absolute inset-y-0 right-0 flex items-center">
          <CopyIconButton label={`Copia ${name}`} text={code.value} />
        </span>
      </dd>
    </div>
  )
}
