/** The response of the floors: JSON of 1024 bytes. */
export const floorBody = JSON.stringify({ data: 'x'.repeat(1024 - '{"data":""}'.length) });
