import {
  changePrescriptionFields,
  getPrescriptionFields,
  type PrescriptionFields,
  prescriptionTerms,
} from '@bancone/contract/prescription-fields'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { useAction } from '../../lib/use-action.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { TermsDialog } from '../../ui/terms-dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'

/** The fields for a prescription on the public page: off until an owner has read what they mean. */
export function PrescriptionFieldsSection() {
  const query = useEndpoint(getPrescriptionFields, {})
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <CardSection
      title="Ricette sulla pagina delle offerte"
      heading={heading}
      state={
        query.data ? (
          <span className="text-sm font-medium text-muted">
            {query.data.isOn ? 'Attive' : 'Non attive'}
          </span>
        ) : null
      }
      intro="Con l’ordine i clienti possono mandare, nello stesso messaggio WhatsApp, il numero della ricetta e il codice fiscale."
      className="print:hidden"
    >
      <QueryStates
        query={query}
        skeleton={
          <Loading>
            <Skeleton shape="control" className="h-9 w-36" />
          </Loading>
        }
      >
        {(fields) => <Contents fields={fields} heading={heading} />}
      </QueryStates>
    </CardSection>
  )
}

type ContentsProps = {
  fields: PrescriptionFields
  heading: RefObject<HTMLHeadingElement | null>
}

function Contents({ fields: { isOn }, heading }: ContentsProps) {
  const client = useQueryClient()
  const reading = useOpened<true>(heading)
  const { busy, failure, run } = useAction()

  async function change(termsVersion: number | null) {
    const changed = await call(changePrescriptionFields, { body: { termsVersion } })
    client.setQueryData(endpointKey(getPrescriptionFields, {}), changed)
    toastSuccess(
      changed.isOn ? 'Campi per la ricetta attivati' : 'Campi per la ricetta disattivati',
    )
  }

  return (
    <>
      {isOn ? (
        <p className="text-sm text-pretty text-muted">
          Sono dati sulla salute, di cui è titolare la farmacia: elimina dalla chat quelli che non
          servono più.
        </p>
      ) : null}
      <FailureAlert failure={failure} />
      <Button
        look={isOn ? 'secondary' : 'primary'}
        className="self-start"
        inactive={busy}
        aria-haspopup={isOn ? undefined : 'dialog'}
        onClick={({ currentTarget }) =>
          isOn ? void run(() => change(null)) : reading.open(true, currentTarget)
        }
      >
        {isOn ? 'Disattiva' : 'Leggi e attiva'}
      </Button>
      {reading.item ? (
        <TermsDialog
          title="Prima di attivare i campi per la ricetta"
          {...prescriptionTerms}
          onAccept={() => change(prescriptionTerms.version)}
          {...reading.modal}
        />
      ) : null}
    </>
  )
}
