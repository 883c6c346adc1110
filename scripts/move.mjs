// @ts-check
import './node-version.mjs'
import { serverCommand } from './server-command.mjs'

await serverCommand('move')
