import { onOff, type SettingRows } from '../../kernel/settings.ts';

export const webhookSettings = {
  WEBHOOK_PRIVATE: {
    default: 'off',
    meaning: 'on: webhooks may send to addresses that are not public, also without TLS',
    ...onOff,
  },
} as const satisfies SettingRows;
