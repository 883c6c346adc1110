import {
  changeSetting,
  getSettings,
  type PlatformSettings,
  type SettingChange,
  type SettingKey,
} from '@bancone/contract/settings'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey } from '../../lib/endpoint-query.ts'
import { useAction } from '../../lib/use-action.ts'
import { toastSuccess } from '../../ui/toast.ts'

/**
 * Saves a setting over the version that the form began with. A version that was loaded later does not count: its value
 * was not shown to the user.
 */
export function useSettingSave<Key extends SettingKey>(key: Key, loaded: PlatformSettings[Key]) {
  const client = useQueryClient()
  const [version, setVersion] = useState(loaded.version)
  const { busy, failure, clearFailure, run } = useAction()

  /** @param after called when it has been saved */
  async function save(value: PlatformSettings[Key]['value'], done: string, after?: () => void) {
    clearFailure()
    await run(async () => {
      // The key belongs to its value, which the compiler cannot follow.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const body = { key, version, value } as SettingChange
      const settings = await call(changeSetting, { body })
      setVersion(settings[key].version)
      client.setQueryData(endpointKey(getSettings, {}), settings)
      toastSuccess(done)
      after?.()
    })
  }

  return { busy, failure, save }
}
