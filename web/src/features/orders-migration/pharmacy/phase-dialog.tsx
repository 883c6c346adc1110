import {
  changeOrdersPhase,
  getMigrationDetail,
  type MigrationDetail,
  type PhaseStep,
} from '@bancone/contract/orders-migration'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { endpointKey } from '../../../lib/endpoint-query.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { toastSuccess } from '../../../ui/toast.ts'
import { migrationProblem, phaseNames } from '../migration-texts.ts'
import { invalidateMigrations } from '../use-migrations.ts'
import { stepEffect, stepTitle } from './phase-texts.ts'

const MAX_REASON = 500
const MIN_REASON = 10

type PhaseDialogProps = {
  detail: MigrationDetail
  step: PhaseStep
  onClose: () => void
  onReturnFocus: () => void
}

/** Says what a move to another phase means, and makes it. */
export function PhaseDialog({ detail, step, onClose, onReturnFocus }: PhaseDialogProps) {
  const { id: pharmacyId, name } = detail
  // The phase may change while the dialog is open: the server refuses the move then.
  const [from] = useState(detail.phase)
  const { to, needsReason } = step
  const id = useId()
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { busy, failure, clearFailure, run } = useAction()

  function submit() {
    clearFailure()
    const length = reason.trim().length
    if (needsReason && (length < MIN_REASON || length > MAX_REASON)) {
      setMissing(length < MIN_REASON)
      return
    }
    void run(async () => {
      const params = { pharmacyId }
      try {
        const body = { from, to, ...(needsReason && { reason: reason.trim() }) }
        const changed = await call(changeOrdersPhase, { params, body })
        client.setQueryData(endpointKey(getMigrationDetail, { params }), changed)
        toastSuccess(
          changed.phase === to
            ? `Fase della migrazione: ${phaseNames[to]}`
            : 'Ritorno ad Airtable avviato',
          { about: `phase-${pharmacyId}`, description: name },
        )
      } finally {
        // Another administrator may have moved it.
        await invalidateMigrations(client)
      }
      onClose()
    }, migrationProblem)
  }

  return (
    <Dialog
      title={`${stepTitle(from, to)}: «${name}»`}
      text={stepEffect(from, to)}
      // What is being done can no longer be cancelled.
      onClose={busy ? () => undefined : onClose}
      onReturnFocus={onReturnFocus}
      footer={
        <>
          <Button inactive={busy} onClick={onClose}>
            Annulla
          </Button>
          <Button
            look={to === 'retired' ? 'danger' : 'primary'}
            type="submit"
            form={id}
            inactive={busy}
          >
            {busy ? 'Cambio in corso…' : stepTitle(from, to)}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {needsReason ? (
          <TextArea
            label="Motivo"
            value={reason}
            maxCharacters={MAX_REASON}
            hint="Non tutte le condizioni di tempo sono soddisfatte: scrivi perché lo fai adesso. Il motivo resta nel registro."
            error={isMissing ? `Scrivi almeno ${MIN_REASON} caratteri.` : undefined}
            onChange={({ target }) => {
              setReason(target.value)
              setMissing(false)
            }}
          />
        ) : null}
      </form>
      <FailureAlert failure={failure} />
    </Dialog>
  )
}
