import type { FormEventHandler, ReactNode } from 'react'
import { useRef } from 'react'
import { useLeavePrompt } from '../../lib/use-leave-prompt.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { LeaveDialog } from '../../ui/leave-dialog.tsx'
import { SettingsSection } from './settings-section.tsx'
import type { useSettingSave } from './use-setting-save.ts'

type SettingFormProps = {
  title: string
  intro: ReactNode
  /** When and by whom the setting was saved. */
  saved: { updatedAt: string | null; updatedBy: string | null }
  /** The label of the button. */
  submit: string
  saving: Pick<ReturnType<typeof useSettingSave>, 'busy' | 'failure'>
  unsaved: boolean
  onSubmit: FormEventHandler
  children: ReactNode
  /** Buttons beside that which saves. */
  actions?: ReactNode
}

/** The form of a setting. It asks before unsaved changes are discarded. */
export function SettingForm({ title, intro, saved, saving, children, ...props }: SettingFormProps) {
  const button = useRef<HTMLButtonElement>(null)
  const leaving = useLeavePrompt(props.unsaved)
  return (
    <SettingsSection title={title} intro={intro} saved={saved}>
      <form noValidate className="flex flex-col gap-4" onSubmit={props.onSubmit}>
        <FailureAlert failure={saving.failure} />
        {children}
        <div className="flex flex-wrap gap-3">
          <Button ref={button} type="submit" look="primary" inactive={saving.busy}>
            {saving.busy ? 'Salvataggio in corso…' : props.submit}
          </Button>
          {props.actions}
        </div>
      </form>
      {leaving.asks ? (
        <LeaveDialog
          text={`Le modifiche di «${title}» non sono ancora salvate.`}
          onStay={leaving.stay}
          onLeave={leaving.leave}
          onReturnFocus={() => button.current?.focus()}
        />
      ) : null}
    </SettingsSection>
  )
}
