export const beforeCreate = () => undefined;
