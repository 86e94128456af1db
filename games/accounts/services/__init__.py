"""Services for sign-in, profiles, credentials and account mails."""
